/* The rest of the answer: what a mistake of this folder leaves as it should be. A mistake that has a
 * function of its own says so before it includes this. */
#include "matrix_product.h"

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c);
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c);
template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c);
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c);
template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c);
__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c);

#ifndef OWN_NAIVE_KERNEL
__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    size_t row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (row >= m || column >= n)
        return;
    for (size_t i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}
#endif

#ifndef OWN_NAIVE
extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 block(edge, edge), grid((n + edge - 1) / edge, (m + edge - 1) / edge);
    naive_kernel<<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
#endif

#ifndef OWN_TILED_KERNEL
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][EDGE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    float sum = 0;

    for (size_t first = 0; first < k; first += EDGE) {
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        __syncthreads();

        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
#endif

#ifndef OWN_LAUNCH_TILED
template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 block(EDGE, EDGE), grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
    tiled_kernel<EDGE><<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
#endif

extern "C" cudaError_t product_tiled(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;
    return edge == 8    ? launch_tiled<8>(a, b, m, n, k, c)
           : edge == 16 ? launch_tiled<16>(a, b, m, n, k, c)
                        : launch_tiled<32>(a, b, m, n, k, c);
}

#ifndef OWN_PAD
enum { PAD = 1 };
#endif

#ifndef OWN_TRANSPOSED_KERNEL
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][ROW];
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    size_t row_of_bt = blockIdx.x * EDGE + y;
    float sum = 0;

    for (size_t first = 0; first < k; first += EDGE) {
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tile_b[y][x] = row_of_bt < n && first + x < k ? bt[row_of_bt * k + first + x] : 0;
        __syncthreads();

        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[x][i];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
#endif

#ifndef OWN_LAUNCH_TRANSPOSED
template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 block(EDGE, EDGE), grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
    transposed_kernel<EDGE, ROW><<<grid, block>>>(a, bt, m, n, k, c);
    return cudaGetLastError();
}
#endif

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

#ifndef OWN_SHAPE
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };
#endif

#ifndef OWN_BLOCKED_KERNEL
__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    __shared__ float tile_a[SIDE][STEP], tile_b[STEP][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y, t = y * THREADS + x;
    size_t first_row = (size_t)blockIdx.y * SIDE, first_column = (size_t)blockIdx.x * SIDE;
    float sums[RESULTS][RESULTS] = {};

    for (size_t first = 0; first < k; first += STEP) {
        for (unsigned i = t; i < SIDE * STEP; i += THREADS * THREADS) {
            size_t row = first_row + i / STEP, along = first + i % STEP;
            size_t column = first_column + i % SIDE, down = first + i / SIDE;
            tile_a[i / STEP][i % STEP] = row < m && along < k ? a[row * k + along] : 0;
            tile_b[i / SIDE][i % SIDE] = down < k && column < n ? b[down * n + column] : 0;
        }
        __syncthreads();

        for (unsigned l = 0; l < STEP; l++) {
            float of_a[RESULTS], of_b[RESULTS];
            for (unsigned i = 0; i < RESULTS; i++) {
                of_a[i] = tile_a[y + i * THREADS][l];
                of_b[i] = tile_b[l][x + i * THREADS];
            }
            for (unsigned i = 0; i < RESULTS; i++)
                for (unsigned j = 0; j < RESULTS; j++)
                    sums[i][j] += of_a[i] * of_b[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < RESULTS; i++)
        for (unsigned j = 0; j < RESULTS; j++) {
            size_t row = first_row + y + i * THREADS, column = first_column + x + j * THREADS;
            if (row < m && column < n)
                c[row * n + column] = sums[i][j];
        }
}
#endif

#ifndef OWN_BLOCKED
extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 block(THREADS, THREADS), grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
    blocked_kernel<<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
#endif
