// Wrong: cudaDeviceSynchronize returns the error of a launch before it.
// Kind: error
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
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (unsigned l = 0; l < k; l++)
        sum += a[(size_t)row * k + l] * b[(size_t)l * n + col];
    c[(size_t)row * n + col] = sum;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(edge, edge);
    dim3 blocks((n + edge - 1) / edge, (m + edge - 1) / edge);
    naive_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][EDGE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * EDGE + y, col = blockIdx.x * EDGE + x;
    float sum = 0;

    for (unsigned first = 0; first < k; first += EDGE) {
        tile_a[y][x] = row < m && first + x < k ? a[(size_t)row * k + first + x] : 0;
        tile_b[y][x] = col < n && first + y < k ? b[(size_t)(first + y) * n + col] : 0;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(EDGE, EDGE);
    dim3 blocks((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
    tiled_kernel<EDGE><<<blocks, threads>>>(a, b, m, n, k, c);
    return cudaDeviceSynchronize();
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
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][ROW];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * EDGE + y, col = blockIdx.x * EDGE + x;
    unsigned line = blockIdx.x * EDGE + y; // of bt
    float sum = 0;

    for (unsigned first = 0; first < k; first += EDGE) {
        tile_a[y][x] = row < m && first + x < k ? a[(size_t)row * k + first + x] : 0;
        tile_b[y][x] = line < n && first + x < k ? bt[(size_t)line * k + first + x] : 0;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[x][i];
        __syncthreads();
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(EDGE, EDGE);
    dim3 blocks((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
    transposed_kernel<EDGE, ROW><<<blocks, threads>>>(a, bt, m, n, k, c);
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
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float tile_a[SIDE][STEP];
    __shared__ float tile_b[STEP][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * SIDE, col = blockIdx.x * SIDE; // the block's first ones
    float sums[RESULTS][RESULTS] = {};

    for (unsigned first = 0; first < k; first += STEP) {
        for (unsigned word = y * THREADS + x; word < SIDE * STEP; word += THREADS * THREADS) {
            unsigned i = word / STEP, l = word % STEP;
            tile_a[i][l] = row + i < m && first + l < k ? a[(size_t)(row + i) * k + first + l] : 0;
            l = word / SIDE;
            i = word % SIDE;
            tile_b[l][i] = col + i < n && first + l < k ? b[(size_t)(first + l) * n + col + i] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float of_a[RESULTS], of_b[RESULTS];
            for (unsigned r = 0; r < RESULTS; r++) {
                of_a[r] = tile_a[y + THREADS * r][l];
                of_b[r] = tile_b[l][x + THREADS * r];
            }
            for (unsigned r = 0; r < RESULTS; r++)
                for (unsigned s = 0; s < RESULTS; s++)
                    sums[r][s] += of_a[r] * of_b[s];
        }
        __syncthreads();
    }
    for (unsigned r = 0; r < RESULTS; r++)
        for (unsigned s = 0; s < RESULTS; s++) {
            unsigned i = row + y + THREADS * r, j = col + x + THREADS * s;
            if (i < m && j < n)
                c[(size_t)i * n + j] = sums[r][s];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(THREADS, THREADS);
    dim3 blocks((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
    blocked_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
