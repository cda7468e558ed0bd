// Right: threads outside of c load the nearest row or column in place of zeros, sums are split in even and odd, PAD is 3, blocks of 8 × 8 make 64 × 64.
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

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;

    float even = 0.0f, odd = 0.0f;
    for (unsigned l = 0; l + 1 < k; l += 2) {
        even += a[row * k + l] * b[l * n + column];
        odd += a[row * k + l + 1] * b[(l + 1) * n + column];
    }
    if (k % 2 == 1) {
        even += a[row * k + k - 1] * b[(k - 1) * n + column];
    }
    c[row * n + column] = even + odd;
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    unsigned across = (n + edge - 1) / edge;
    unsigned down = (m + edge - 1) / edge;
    naive_kernel<<<dim3(across, down), dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][EDGE];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    unsigned row = blockIdx.y * EDGE + y;
    unsigned column = blockIdx.x * EDGE + x;
    // Threads outside of c work on its last row or column and keep what they get for themselves.
    unsigned near_row = min(row, m - 1);
    unsigned near_column = min(column, n - 1);

    float even = 0.0f, odd = 0.0f;
    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = t + x < k ? a[near_row * k + t + x] : 0.0f;
        tile_b[y][x] = t + y < k ? b[(t + y) * n + near_column] : 0.0f;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i += 2) {
            even += tile_a[y][i] * tile_b[i][x];
            odd += tile_a[y][i + 1] * tile_b[i + 1][x];
        }
        __syncthreads();
    }

    if (row == near_row && column == near_column) {
        c[row * n + column] = even + odd;
    }
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    unsigned across = (n + EDGE - 1) / EDGE;
    unsigned down = (m + EDGE - 1) / EDGE;
    tiled_kernel<EDGE><<<dim3(across, down), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}

extern "C" cudaError_t product_tiled(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;
    return edge == 8    ? launch_tiled<8>(a, b, m, n, k, c)
           : edge == 16 ? launch_tiled<16>(a, b, m, n, k, c)
                        : launch_tiled<32>(a, b, m, n, k, c);
}

enum { PAD = 3 }; // words: any odd number does

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][ROW];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    unsigned row = blockIdx.y * EDGE + y;
    unsigned column = blockIdx.x * EDGE + x;
    unsigned near_row = min(row, m - 1);
    unsigned near_loaded = min(blockIdx.x * EDGE + y, n - 1);

    float even = 0.0f, odd = 0.0f;
    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = t + x < k ? a[near_row * k + t + x] : 0.0f;
        tile_b[y][x] = t + x < k ? bt[near_loaded * k + t + x] : 0.0f;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i += 2) {
            even += tile_a[y][i] * tile_b[x][i];
            odd += tile_a[y][i + 1] * tile_b[x][i + 1];
        }
        __syncthreads();
    }

    if (row < m && column < n) {
        c[row * n + column] = even + odd;
    }
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    unsigned across = (n + EDGE - 1) / EDGE;
    unsigned down = (m + EDGE - 1) / EDGE;
    transposed_kernel<EDGE, ROW><<<dim3(across, down), dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
    return cudaGetLastError();
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

// A block of THREADS × THREADS threads, two warps, makes SIDE × SIDE elements of c, each thread
// RESULTS × RESULTS of them. Tiles of a and b are STEP wide along k.
enum { THREADS = 8, RESULTS = 8, SIDE = THREADS * RESULTS, STEP = 8 };

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    __shared__ float tile_a[SIDE][STEP];
    __shared__ float tile_b[STEP][SIDE];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    unsigned id = y * THREADS + x;
    unsigned top = blockIdx.y * SIDE;
    unsigned left = blockIdx.x * SIDE;
    unsigned near_column = min(left + id, n - 1); // the column of b that this thread loads

    float sum[RESULTS][RESULTS];
    for (unsigned r = 0; r < RESULTS; r++)
        for (unsigned s = 0; s < RESULTS; s++)
            sum[r][s] = 0.0f;

    for (unsigned t = 0; t < k; t += STEP) {
        for (unsigned r = 0; r < RESULTS; r++) {
            unsigned near_row = min(top + y + r * THREADS, m - 1);
            tile_a[y + r * THREADS][x] = t + x < k ? a[near_row * k + t + x] : 0.0f;
        }
        for (unsigned l = 0; l < STEP; l++) {
            tile_b[l][id] = t + l < k ? b[(t + l) * n + near_column] : 0.0f;
        }
        __syncthreads();
        for (unsigned i = 0; i < STEP; i++) {
            float v[RESULTS];
            for (unsigned s = 0; s < RESULTS; s++)
                v[s] = tile_b[i][x + s * THREADS];
            for (unsigned r = 0; r < RESULTS; r++) {
                float u = tile_a[y + r * THREADS][i];
                for (unsigned s = 0; s < RESULTS; s++)
                    sum[r][s] += u * v[s];
            }
        }
        __syncthreads();
    }

    for (unsigned r = 0; r < RESULTS; r++) {
        unsigned row = top + y + r * THREADS;
        for (unsigned s = 0; s < RESULTS; s++) {
            unsigned column = left + x + s * THREADS;
            if (row < m && column < n) c[row * n + column] = sum[r][s];
        }
    }
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    const unsigned across = (n + SIDE - 1) / SIDE;
    const unsigned down = (m + SIDE - 1) / SIDE;
    blocked_kernel<<<dim3(across, down), dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
