// Wrong: the tiles of product_tiled hold half precision to save shared memory: 8,192 times the error that is allowed.
// Kind: precision
/*
 * Lab 13: block shapes for a matrix product. Handout: handouts/13-matrix-product.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the product without shared memory (TODO 1), by tiles
 * (TODO 2), by tiles of a transposed matrix (TODO 3), the same without bank conflicts (TODO 4), and
 * several results a thread (TODO 5). Each can be tested when it is done.
 */
#include "matrix_product.h"

#include <cuda_fp16.h>

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (5 numbers)

// product_naive, blocks of 8 × 8: from how many sectors (of 32 bytes) does a warp load in one step,
// for its elements of a and of b together?
extern "C" const int predicted_sectors_of_a_step_8 = 5;

// product_tiled, m = n = k = 64, blocks of 32 × 32: how many sectors are loaded in all?
extern "C" const int predicted_sectors_of_tiles_32 = 2048;

// The same: how many bytes of shared memory has a block?
extern "C" const int predicted_shared_bytes_32 = 8192;

// Compute capability 8.6 has room for 1,536 threads and 16 blocks on a multiprocessor. How many
// warps of product_tiled are resident there in blocks of 32 × 32, where nothing else limits them?
extern "C" const int predicted_warps_32 = 32;

// product_transposed, blocks of 16 × 16: lanes of a warp read the words [x][i] of a tile of 16 × 16.
// How many passes over the banks does one such load take?
extern "C" const int predicted_passes_16 = 8;

// END TODO(0)

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < m && column < n) {
        const float *of_a = a + row * k;
        const char *of_b = (const char *)(b + column);
        size_t row_bytes = n * sizeof *b; // from one row of b to the next
        float sum = 0;
        for (unsigned l = 0; l < k; l++)
            sum += of_a[l] * *(const float *)(of_b + l * row_bytes);
        c[row * n + column] = sum;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 block(edge, edge, 1);
    dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y, 1);
    naive_kernel<<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ __half part_of_a[EDGE][EDGE];
    __shared__ __half part_of_b[EDGE][EDGE];
    unsigned column = blockIdx.x * EDGE + threadIdx.x;
    unsigned row = blockIdx.y * EDGE + threadIdx.y;
    unsigned tiles = k / EDGE + (k % EDGE > 0);
    float sum = 0;

    // From the last tile to the first: the one that may be short comes at once.
    while (tiles-- > 0) {
        unsigned ka = tiles * EDGE + threadIdx.x, kb = tiles * EDGE + threadIdx.y;
        part_of_a[threadIdx.y][threadIdx.x] = ka < k && row < m ? __float2half(a[row * k + ka]) : __half(0);
        part_of_b[threadIdx.y][threadIdx.x] = kb < k && column < n ? __float2half(b[kb * n + column]) : __half(0);
        __syncthreads();
        for (unsigned l = 0; l < EDGE; l++)
            sum += __half2float(part_of_a[threadIdx.y][l]) * __half2float(part_of_b[l][threadIdx.x]);
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 block(EDGE, EDGE, 1);
    dim3 grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE, 1);
    tiled_kernel<EDGE><<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t product_tiled(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;
    return edge == 8    ? launch_tiled<8>(a, b, m, n, k, c)
           : edge == 16 ? launch_tiled<16>(a, b, m, n, k, c)
                        : launch_tiled<32>(a, b, m, n, k, c);
}

// TODO(4): by how many words is a row of tile_b longer than EDGE, in product_padded? (1 number)
enum { PAD = 1 }; // words
// END TODO(4)

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    // TODO(3): as TODO 2; which rows of bt belong to this block? (about 20 lines)
    __shared__ float part_of_a[EDGE][EDGE];
    __shared__ float part_of_bt[EDGE][ROW];
    unsigned column = blockIdx.x * EDGE + threadIdx.x;
    unsigned row = blockIdx.y * EDGE + threadIdx.y;
    unsigned row_of_bt = blockIdx.x * EDGE + threadIdx.y;
    unsigned tiles = k / EDGE + (k % EDGE > 0);
    float sum = 0;

    while (tiles-- > 0) {
        unsigned l0 = tiles * EDGE + threadIdx.x;
        part_of_a[threadIdx.y][threadIdx.x] = l0 < k && row < m ? a[row * k + l0] : 0;
        part_of_bt[threadIdx.y][threadIdx.x] = l0 < k && row_of_bt < n ? bt[row_of_bt * k + l0] : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; l++)
            sum += part_of_a[threadIdx.y][l] * part_of_bt[threadIdx.x][l];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 block(EDGE, EDGE, 1);
    dim3 grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE, 1);
    transposed_kernel<EDGE, ROW><<<grid, block>>>(a, bt, m, n, k, c);
    return cudaGetLastError();
    // END TODO(3)
}

extern "C" cudaError_t product_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                          unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;
    return edge == 8    ? launch_transposed<8, 8>(a, bt, m, n, k, c)
           : edge == 16 ? launch_transposed<16, 16>(a, bt, m, n, k, c)
                        : launch_transposed<32, 32>(a, bt, m, n, k, c);
}

extern "C" cudaError_t product_padded(const float *a, const float *bt, unsigned m, unsigned n,
                                      unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;
    return edge == 8    ? launch_transposed<8, 8 + PAD>(a, bt, m, n, k, c)
           : edge == 16 ? launch_transposed<16, 16 + PAD>(a, bt, m, n, k, c)
                        : launch_transposed<32, 32 + PAD>(a, bt, m, n, k, c);
}

// TODO(5): the shape: this one, or another (about 1 line)
// A block of THREADS × THREADS threads makes SIDE × SIDE elements of c, each thread RESULTS × RESULTS
// of them. Tiles of a and b are STEP wide along k.
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float part_of_a[STEP][SIDE]; // its columns
    __shared__ float part_of_b[STEP][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y, id = y * THREADS + x;
    unsigned top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    unsigned tiles = k / STEP + (k % STEP > 0);
    float sums[RESULTS * RESULTS] = {};

    while (tiles-- > 0) {
        for (unsigned w = id; w < STEP * SIDE; w += THREADS * THREADS) {
            unsigned row = top + w / STEP, l = tiles * STEP + w % STEP;
            part_of_a[w % STEP][w / STEP] = l < k && row < m ? a[row * k + l] : 0;
        }
        for (unsigned w = id; w < STEP * SIDE; w += THREADS * THREADS) {
            unsigned column = left + w % SIDE, l = tiles * STEP + w / SIDE;
            part_of_b[w / SIDE][w % SIDE] = l < k && column < n ? b[l * n + column] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float p[RESULTS], q[RESULTS];
            for (unsigned i = 0; i < RESULTS; i++)
                p[i] = part_of_a[l][y + i * THREADS];
            for (unsigned i = 0; i < RESULTS; i++)
                q[i] = part_of_b[l][x + i * THREADS];
#pragma unroll
            for (unsigned i = 0; i < RESULTS * RESULTS; i++)
                sums[i] += p[i / RESULTS] * q[i % RESULTS];
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < RESULTS * RESULTS; i++) {
        unsigned row = top + y + i / RESULTS * THREADS, column = left + x + i % RESULTS * THREADS;
        if (row < m && column < n)
            c[row * n + column] = sums[i];
    }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 block(THREADS, THREADS, 1);
    dim3 grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE, 1);
    blocked_kernel<<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
