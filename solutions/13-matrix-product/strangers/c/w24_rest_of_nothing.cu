// Wrong: product_tiled takes the last tile for a part of one even where k is a multiple of edge: k % EDGE is 0 then, and the last tile is not added.
// Kind: tail
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

/* at = a transposed: k rows of m floats. Blocks of 32 × 8 threads turn 32 × 32 elements. */
__global__ void turn_kernel(const float *a, unsigned m, unsigned k, float *at) {
    __shared__ float tile[32][33];
    for (unsigned y = threadIdx.y; y < 32; y += 8) {
        const unsigned row = blockIdx.y * 32 + y;
        const unsigned column = blockIdx.x * 32 + threadIdx.x;
        if (row < m && column < k)
            tile[y][threadIdx.x] = a[(size_t)row * k + column];
    }
    __syncthreads();
    for (unsigned y = threadIdx.y; y < 32; y += 8) {
        const unsigned row = blockIdx.x * 32 + y; // of at
        const unsigned column = blockIdx.y * 32 + threadIdx.x;
        if (row < k && column < m)
            at[(size_t)row * m + column] = tile[threadIdx.x][y];
    }
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(row < m && column < n))
        return;
    const size_t here = (size_t)row * n + column;
    float sum = 0.0f;
    for (unsigned l = 0; l < k; ++l) {
        const float left = a[(size_t)row * k + l];
        const float right = b[(size_t)l * n + column];
        sum += left * right;
    }
    c[here] = sum;
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    if (m == 0 || n == 0)
        return cudaSuccess;
    naive_kernel<<<dim3((n + edge - 1) / edge, (m + edge - 1) / edge), dim3(edge, edge)>>>(
        a, b, m, n, k, c);
    return cudaGetLastError();
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][EDGE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y;
    const unsigned column = blockIdx.x * EDGE + x;
    float sum = 0.0f;
    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = row < m && t + x < k ? a[(size_t)row * k + t + x] : 0.0f;
        tile_b[y][x] = column < n && t + y < k ? b[(size_t)(t + y) * n + column] : 0.0f;
        __syncthreads();
        const unsigned steps = t + EDGE < k ? EDGE : k % EDGE; // no further than k
        for (unsigned i = 0; i < steps; ++i)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    tiled_kernel<EDGE><<<dim3((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE), dim3(EDGE, EDGE)>>>(
        a, b, m, n, k, c);
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

enum { PAD = 1 }; // words

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][ROW];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y;
    const unsigned column = blockIdx.x * EDGE + x;
    const unsigned turned = blockIdx.x * EDGE + y;
    float sum = 0.0f;
    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = row < m && t + x < k ? a[(size_t)row * k + t + x] : 0.0f;
        tile_b[y][x] = turned < n && t + x < k ? bt[(size_t)turned * k + t + x] : 0.0f;
        __syncthreads();
        const unsigned steps = t + EDGE <= k ? EDGE : k % EDGE; // no further than k
        for (unsigned i = 0; i < steps; ++i)
            sum += tile_a[y][i] * tile_b[x][i];
        __syncthreads();
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 blocks((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
    transposed_kernel<EDGE, ROW><<<blocks, dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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

// A block of THREADS × THREADS threads makes SIDE × SIDE elements of c, each thread RESULTS × RESULTS
// of them. Tiles of a and b are STEP wide along k.
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // a is the transpose here, k rows of m floats: both tiles are loaded and read alike.
    __shared__ float tile_a[STEP][SIDE];
    __shared__ float tile_b[STEP][SIDE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned top = blockIdx.y * SIDE;
    const unsigned left = blockIdx.x * SIDE;
    float sum[RESULTS][RESULTS] = {};
    for (unsigned t = 0; t < k; t += STEP) {
        for (unsigned i = x; i < SIDE; i += THREADS) {
            const bool some = t + y < k;
            tile_a[y][i] = some && top + i < m ? a[(size_t)(t + y) * m + top + i] : 0.0f;
            tile_b[y][i] = some && left + i < n ? b[(size_t)(t + y) * n + left + i] : 0.0f;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; ++l) {
            float p[RESULTS], q[RESULTS];
            for (unsigned r = 0; r < RESULTS; ++r) {
                p[r] = tile_a[l][y + THREADS * r];
                q[r] = tile_b[l][x + THREADS * r];
            }
            for (unsigned r = 0; r < RESULTS; ++r)
                for (unsigned s = 0; s < RESULTS; ++s)
                    sum[r][s] += p[r] * q[s];
        }
        __syncthreads();
    }
    for (unsigned r = 0; r < RESULTS; ++r)
        for (unsigned s = 0; s < RESULTS; ++s) {
            const unsigned row = top + y + THREADS * r;
            const unsigned column = left + x + THREADS * s;
            if (row < m && column < n)
                c[(size_t)row * n + column] = sum[r][s];
        }
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    float *at = nullptr;
    if (k > 0) {
        const size_t bytes = (size_t)m * k * sizeof(float);
        cudaError_t error = cudaMalloc((void **)&at, bytes);
        if (error != cudaSuccess) {
            cudaGetLastError(); // or it would stay for the next who asks
            return error;
        }
        turn_kernel<<<dim3((k + 31) / 32, (m + 31) / 32), dim3(32, 8)>>>(a, m, k, at);
        error = cudaGetLastError();
        if (error != cudaSuccess) {
            cudaFree(at);
            return error;
        }
    }
    blocked_kernel<<<dim3((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE), dim3(THREADS, THREADS)>>>(
        at, b, m, n, k, c);
    const cudaError_t error = cudaGetLastError();
    const cudaError_t freed = cudaFree(at); // waits for the kernels
    if (freed != cudaSuccess)
        cudaGetLastError();
    return error != cudaSuccess ? error : freed;
}
