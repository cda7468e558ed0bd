// Wrong: words of bt are stored at [y][x ^ y], but looked up by the y of the reader in place of the row that is read.
// Kind: index
/*
 * Lab 13: block shapes for a matrix product. Handout: handouts/13-matrix-product.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the product without shared memory (TODO 1), by tiles
 * (TODO 2), by tiles of a transposed matrix (TODO 3), the same without bank conflicts (TODO 4), and
 * several results a thread (TODO 5). Each can be tested when it is done.
 */
#include "matrix_product.h"

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
    unsigned i = threadIdx.y + blockDim.y * blockIdx.y;
    unsigned j = threadIdx.x + blockDim.x * blockIdx.x;

    if (i < m && j < n) {
        float sum[4] = {0, 0, 0, 0};
        for (unsigned l = 0; l < k; l++)
            sum[l % 4] += a[i * k + l] * b[l * n + j];
        c[i * n + j] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    dim3 grid;
    grid.x = n / edge + (n % edge ? 1 : 0);
    grid.y = m / edge + (m % edge ? 1 : 0);
    naive_kernel<<<grid, dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float ta[EDGE][EDGE], tb[EDGE][EDGE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = EDGE * blockIdx.y + y, col = EDGE * blockIdx.x + x;
    float sum = 0;

    for (unsigned l0 = 0; l0 < k; l0 += EDGE) {
        ta[y][x] = (row < m && l0 + x < k) ? a[row * k + l0 + x] : 0;
        tb[y][x] = (col < n && l0 + y < k) ? b[(l0 + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < EDGE; l++)
            sum += ta[y][l] * tb[l][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    dim3 grid(n / EDGE + (n % EDGE ? 1 : 0), m / EDGE + (m % EDGE ? 1 : 0));
    tiled_kernel<EDGE><<<grid, dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
enum { PAD = 0 }; // words: the tile's words are mixed instead, see transposed_kernel
// END TODO(4)

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    // TODO(3): as TODO 2; which rows of bt belong to this block? (about 20 lines)
    // Word (y, x) of the tile of bt lies at [y][x ^ y], so that words of a column are in different banks.
    __shared__ float ta[EDGE][EDGE], tb[EDGE][ROW];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = EDGE * blockIdx.y + y, col = EDGE * blockIdx.x + x, row_bt = EDGE * blockIdx.x + y;
    float sum = 0;

    for (unsigned l0 = 0; l0 < k; l0 += EDGE) {
        ta[y][x] = (row < m && l0 + x < k) ? a[row * k + l0 + x] : 0;
        tb[y][x ^ y] = (row_bt < n && l0 + x < k) ? bt[row_bt * k + l0 + x] : 0;
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < EDGE; l++)
            sum += ta[y][l] * tb[x][l ^ y];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    dim3 grid(n / EDGE + (n % EDGE ? 1 : 0), m / EDGE + (m % EDGE ? 1 : 0));
    transposed_kernel<EDGE, ROW><<<grid, dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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
// A block of 8 × 8 threads makes SIDE × SIDE elements of c, each thread RESULTS × RESULTS of them.
enum { THREADS = 8, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float ta[SIDE][STEP], tb[STEP][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row0 = SIDE * blockIdx.y, col0 = SIDE * blockIdx.x;
    float sum[RESULTS][RESULTS] = {};

    for (unsigned l0 = 0; l0 < k; l0 += STEP) {
        // 8 × 8 threads and STEP = 8: each thread has one place in each of RESULTS squares.
        for (unsigned s = 0; s < RESULTS; s++) {
            unsigned row = row0 + s * THREADS + y, col = col0 + s * THREADS + x;
            ta[s * THREADS + y][x] = (row < m && l0 + x < k) ? a[row * k + l0 + x] : 0;
            tb[y][s * THREADS + x] = (col < n && l0 + y < k) ? b[(l0 + y) * n + col] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float w[RESULTS];
            for (unsigned j = 0; j < RESULTS; j++)
                w[j] = tb[l][j * THREADS + x];
            for (unsigned i = 0; i < RESULTS; i++) {
                float u = ta[i * THREADS + y][l];
                for (unsigned j = 0; j < RESULTS; j++)
                    sum[i][j] += u * w[j];
            }
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < RESULTS; i++)
        for (unsigned j = 0; j < RESULTS; j++)
            if (row0 + i * THREADS + y < m && col0 + j * THREADS + x < n)
                c[(row0 + i * THREADS + y) * n + col0 + j * THREADS + x] = sum[i][j];
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    dim3 grid(n / SIDE + (n % SIDE ? 1 : 0), m / SIDE + (m % SIDE ? 1 : 0));
    blocked_kernel<<<grid, dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
