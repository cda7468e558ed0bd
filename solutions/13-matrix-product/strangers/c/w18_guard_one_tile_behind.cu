// Wrong: product_tiled fetches the next tile's words but asks whether those of this tile are within k: it reads past the matrices, and adds words of other rows where k is no multiple of edge.
// Kind: bound
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
    bool mine = row < m && column < n;
    if (!mine) return;

    float sum = 0.0f;
    unsigned l = 0;
    while (l < k) {
        sum += a[row * k + l] * b[l * n + column];
        l++;
    }
    c[row * n + column] = sum;
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

    // The words of the next tile are on their way while this one is added up.
    float next_a = row < m && x < k ? a[row * k + x] : 0.0f;
    float next_b = column < n && y < k ? b[y * n + column] : 0.0f;
    float sum = 0.0f;
    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = next_a;
        tile_b[y][x] = next_b;
        __syncthreads();
        unsigned u = t + EDGE;
        next_a = row < m && t + x < k ? a[row * k + u + x] : 0.0f;
        next_b = column < n && t + y < k ? b[(u + y) * n + column] : 0.0f;
        for (unsigned i = 0; i < EDGE; i++) {
            sum += tile_a[y][i] * tile_b[i][x];
        }
        __syncthreads();
    }

    if (row < m && column < n) {
        c[row * n + column] = sum;
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

enum { PAD = 1 }; // words

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
    unsigned loaded = blockIdx.x * EDGE + y; // the row of bt that this thread loads from

    float next_a = row < m && x < k ? a[row * k + x] : 0.0f;
    float next_b = loaded < n && x < k ? bt[loaded * k + x] : 0.0f;
    float sum = 0.0f;
    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = next_a;
        tile_b[y][x] = next_b;
        __syncthreads();
        unsigned u = t + EDGE + x;
        next_a = row < m && u < k ? a[row * k + u] : 0.0f;
        next_b = loaded < n && u < k ? bt[loaded * k + u] : 0.0f;
        for (unsigned i = 0; i < EDGE; i++) {
            sum += tile_a[y][i] * tile_b[x][i];
        }
        __syncthreads();
    }

    if (row < m && column < n) {
        c[row * n + column] = sum;
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

// A block of THREADS × THREADS threads makes SIDE × SIDE elements of c, each thread RESULTS × RESULTS
// of them. Tiles of a and b are STEP wide along k: 256 times 4 words, four for each thread.
enum { THREADS = 16, RESULTS = 8, SIDE = THREADS * RESULTS, STEP = 8 };

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    __shared__ float tile_a[SIDE][STEP];
    __shared__ float tile_b[STEP][SIDE];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    unsigned id = y * THREADS + x;

    // Four words of a, side by side, and four of b: rows begin at a multiple of 16 bytes only where
    // their length is a multiple of four.
    unsigned a_y = id / 2, a_x = id % 2 * 4;
    unsigned b_y = id / 32, b_x = id % 32 * 4;
    unsigned a_row = blockIdx.y * SIDE + a_y;
    unsigned b_column = blockIdx.x * SIDE + b_x;

    float sum[RESULTS][RESULTS];
    for (unsigned r = 0; r < RESULTS; r++)
        for (unsigned s = 0; s < RESULTS; s++)
            sum[r][s] = 0.0f;

    for (unsigned t = 0; t < k; t += STEP) {
        float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        unsigned l = t + a_x;
        if (a_row < m) {
            const float *from = a + (size_t)a_row * k + l;
            if (k % 4 == 0 && l + 3 < k) {
                four = *(const float4 *)from;
            } else {
                if (l < k) four.x = from[0];
                if (l + 1 < k) four.y = from[1];
                if (l + 2 < k) four.z = from[2];
                if (l + 3 < k) four.w = from[3];
            }
        }
        tile_a[a_y][a_x] = four.x;
        tile_a[a_y][a_x + 1] = four.y;
        tile_a[a_y][a_x + 2] = four.z;
        tile_a[a_y][a_x + 3] = four.w;

        four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (t + b_y < k) {
            const float *from = b + (size_t)(t + b_y) * n + b_column;
            if (n % 4 == 0 && b_column + 3 < n) {
                four = *(const float4 *)from;
            } else {
                if (b_column < n) four.x = from[0];
                if (b_column + 1 < n) four.y = from[1];
                if (b_column + 2 < n) four.z = from[2];
                if (b_column + 3 < n) four.w = from[3];
            }
        }
        tile_b[b_y][b_x] = four.x;
        tile_b[b_y][b_x + 1] = four.y;
        tile_b[b_y][b_x + 2] = four.z;
        tile_b[b_y][b_x + 3] = four.w;
        __syncthreads();

        for (unsigned i = 0; i < STEP; i++) {
            float u[RESULTS], v[RESULTS];
            for (unsigned r = 0; r < RESULTS; r++) {
                u[r] = tile_a[y + r * THREADS][i];
                v[r] = tile_b[i][x + r * THREADS];
            }
            for (unsigned r = 0; r < RESULTS; r++)
                for (unsigned s = 0; s < RESULTS; s++)
                    sum[r][s] += u[r] * v[s];
        }
        __syncthreads();
    }

    for (unsigned r = 0; r < RESULTS; r++) {
        unsigned row = blockIdx.y * SIDE + y + r * THREADS;
        for (unsigned s = 0; s < RESULTS; s++) {
            unsigned column = blockIdx.x * SIDE + x + s * THREADS;
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
