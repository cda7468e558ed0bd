// Wrong: product_tiled asks for the last error a second time in order to return it, but the first question has cleared it: a refused launch returns cudaSuccess.
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
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    const float *pa = a + (size_t)row * k;
    const float *pb = b + col;
    float s = 0.f;
    for (unsigned left = k; left > 0; left--) {
        s += *pa * *pb;
        pa++;
        pb += n;
    }
    c[(size_t)row * n + col] = s;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(edge, edge, 1);
    dim3 blocks((n - 1) / edge + 1, (m - 1) / edge + 1, 1);
    naive_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    return cudaSuccess;
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float tile_a[EDGE * EDGE];
    __shared__ float tile_b[EDGE * EDGE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty;
    const unsigned col = blockIdx.x * EDGE + tx;
    const float *pa = a + (size_t)row * k + tx;
    const float *pb = b + (size_t)ty * n + col;
    const bool in_row = row < m, in_col = col < n;
    float s = 0.f;
    for (unsigned t = 0; t < k; t += EDGE) {
        float wa = 0.f, wb = 0.f;
        if (in_row && t + tx < k)
            wa = *pa;
        if (in_col && t + ty < k)
            wb = *pb;
        tile_a[ty * EDGE + tx] = wa;
        tile_b[ty * EDGE + tx] = wb;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            s += tile_a[ty * EDGE + i] * tile_b[i * EDGE + tx];
        __syncthreads();
        pa += EDGE;
        pb += (size_t)EDGE * n;
    }
    if (in_row && in_col)
        c[(size_t)row * n + col] = s;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(EDGE, EDGE, 1);
    dim3 blocks((n - 1) / EDGE + 1, (m - 1) / EDGE + 1, 1);
    tiled_kernel<EDGE><<<blocks, threads>>>(a, b, m, n, k, c);
    if (cudaGetLastError() != cudaSuccess)
        return cudaGetLastError();
    return cudaSuccess;
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
    __shared__ float tile_a[EDGE * EDGE];
    __shared__ float tile_b[EDGE * ROW];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty;
    const unsigned col = blockIdx.x * EDGE + tx;
    const unsigned col_to_load = blockIdx.x * EDGE + ty;
    const float *pa = a + (size_t)row * k + tx;
    const float *pb = bt + (size_t)col_to_load * k + tx;
    float s = 0.f;
    for (unsigned t = 0; t < k; t += EDGE) {
        const bool in_k = t + tx < k;
        float wa = 0.f, wb = 0.f;
        if (in_k && row < m)
            wa = *pa;
        if (in_k && col_to_load < n)
            wb = *pb;
        tile_a[ty * EDGE + tx] = wa;
        tile_b[ty * ROW + tx] = wb;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            s += tile_a[ty * EDGE + i] * tile_b[tx * ROW + i];
        __syncthreads();
        pa += EDGE;
        pb += EDGE;
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = s;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(EDGE, EDGE, 1);
    dim3 blocks((n - 1) / EDGE + 1, (m - 1) / EDGE + 1, 1);
    transposed_kernel<EDGE, ROW><<<blocks, threads>>>(a, bt, m, n, k, c);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    return cudaSuccess;
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
enum { THREADS = 16, RESULTS = 2, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float tile_a[SIDE * STEP];
    __shared__ float tile_b[STEP * SIDE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * SIDE + ty; // and row + THREADS
    const unsigned col = blockIdx.x * SIDE + tx; // and col + THREADS
    float s00 = 0.f, s01 = 0.f, s10 = 0.f, s11 = 0.f;
    for (unsigned t = 0; t < k; t += STEP) {
        for (unsigned l = tx; l < STEP; l += THREADS) {
            const bool in_k = t + l < k;
            tile_a[ty * STEP + l] = in_k && row < m ? a[(size_t)row * k + t + l] : 0.f;
            tile_a[(ty + THREADS) * STEP + l] =
                in_k && row + THREADS < m ? a[(size_t)(row + THREADS) * k + t + l] : 0.f;
        }
        for (unsigned l = ty; l < STEP; l += THREADS) {
            const bool in_k = t + l < k;
            tile_b[l * SIDE + tx] = in_k && col < n ? b[(size_t)(t + l) * n + col] : 0.f;
            tile_b[l * SIDE + tx + THREADS] =
                in_k && col + THREADS < n ? b[(size_t)(t + l) * n + col + THREADS] : 0.f;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            const float a0 = tile_a[ty * STEP + l];
            const float a1 = tile_a[(ty + THREADS) * STEP + l];
            const float b0 = tile_b[l * SIDE + tx];
            const float b1 = tile_b[l * SIDE + tx + THREADS];
            s00 += a0 * b0;
            s01 += a0 * b1;
            s10 += a1 * b0;
            s11 += a1 * b1;
        }
        __syncthreads();
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = s00;
    if (row < m && col + THREADS < n)
        c[(size_t)row * n + col + THREADS] = s01;
    if (row + THREADS < m && col < n)
        c[(size_t)(row + THREADS) * n + col] = s10;
    if (row + THREADS < m && col + THREADS < n)
        c[(size_t)(row + THREADS) * n + col + THREADS] = s11;
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 threads(THREADS, THREADS, 1);
    dim3 blocks((n - 1) / SIDE + 1, (m - 1) / SIDE + 1, 1);
    blocked_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    return cudaSuccess;
    // END TODO(5)
}
