// Wrong: __umul24 takes the lower 24 bits of its factors, so that rows are missed where n or k is above 2^24.
// Kind: overflow
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

/* Where word (row, column) of a matrix is. */
static __device__ __forceinline__ unsigned at(unsigned row, unsigned columns, unsigned column) {
    return __umul24(row, columns) + column;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    float result = 0.f;

    if (!(row < m && col < n))
        return;
    for (unsigned i = 0; i < k; ++i)
        result += a[at(row, k, i)] * b[at(i, n, col)];
    c[at(row, n, col)] = result;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    const unsigned across = (n + edge - 1) / edge, down = (m + edge - 1) / edge;
    if (across == 0 || down == 0)
        return cudaSuccess;
    naive_kernel<<<dim3(across, down), dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* What the two tiles give one thread: its row of one with its column of the other. */
template <unsigned EDGE>
static __device__ float row_by_column(const float (&p)[EDGE][EDGE], const float (&q)[EDGE][EDGE]) {
    float part = 0.f;
#pragma unroll
    for (unsigned i = 0; i < EDGE; ++i)
        part += p[threadIdx.y][i] * q[i][threadIdx.x];
    return part;
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float sh_a[EDGE][EDGE], sh_b[EDGE][EDGE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty;
    const unsigned col = blockIdx.x * EDGE + tx;
    float result = 0.f;

    for (unsigned step = 0; step < k; step += EDGE) {
        sh_a[ty][tx] = row < m && step + tx < k ? a[at(row, k, step + tx)] : 0.f;
        sh_b[ty][tx] = step + ty < k && col < n ? b[at(step + ty, n, col)] : 0.f;
        __syncthreads();
        result += row_by_column<EDGE>(sh_a, sh_b);
        __syncthreads();
    }
    if (row < m && col < n)
        c[at(row, n, col)] = result;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    const unsigned across = (n + EDGE - 1) / EDGE, down = (m + EDGE - 1) / EDGE;
    if (across == 0 || down == 0)
        return cudaSuccess;
    tiled_kernel<EDGE><<<dim3(across, down), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
    __shared__ float sh_a[EDGE][EDGE], sh_b[EDGE][ROW];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty;
    const unsigned col = blockIdx.x * EDGE + tx;
    const unsigned row_of_bt = blockIdx.x * EDGE + ty;
    float result = 0.f;

    for (unsigned step = 0; step < k; step += EDGE) {
        sh_a[ty][tx] = row < m && step + tx < k ? a[at(row, k, step + tx)] : 0.f;
        sh_b[ty][tx] = row_of_bt < n && step + tx < k ? bt[at(row_of_bt, k, step + tx)] : 0.f;
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < EDGE; ++i)
            result += sh_a[ty][i] * sh_b[tx][i];
        __syncthreads();
    }
    if (row < m && col < n)
        c[at(row, n, col)] = result;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    const unsigned across = (n + EDGE - 1) / EDGE, down = (m + EDGE - 1) / EDGE;
    if (across == 0 || down == 0)
        return cudaSuccess;
    transposed_kernel<EDGE, ROW><<<dim3(across, down), dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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
// A block of 128 threads in a row makes SIDE × SIDE elements of c, each thread DOWN × ACROSS of them.
enum { SIDE = 64, STEP = 16, THREADS = 128, DOWN = 4, ACROSS = 8, WIDE = SIDE / ACROSS, HIGH = SIDE / DOWN };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float sh_a[SIDE][STEP + 1]; // rows of 17 words: four rows of a warp meet in no bank
    __shared__ float sh_b[STEP][SIDE];
    const unsigned id = threadIdx.x, tx = id % WIDE, ty = id / WIDE;
    const unsigned row0 = blockIdx.y * SIDE, col0 = blockIdx.x * SIDE;
    float results[DOWN][ACROSS] = {};

    for (unsigned step = 0; step < k; step += STEP) {
        for (unsigned i = id; i < SIDE * STEP; i += THREADS) {
            const unsigned row = row0 + i / STEP, la = step + i % STEP;
            const unsigned col = col0 + i % SIDE, lb = step + i / SIDE;
            sh_a[i / STEP][i % STEP] = row < m && la < k ? a[at(row, k, la)] : 0.f;
            sh_b[i / SIDE][i % SIDE] = lb < k && col < n ? b[at(lb, n, col)] : 0.f;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; ++l) {
            float p[DOWN], q[ACROSS];
            for (unsigned i = 0; i < DOWN; ++i)
                p[i] = sh_a[ty + i * HIGH][l];
            for (unsigned j = 0; j < ACROSS; ++j)
                q[j] = sh_b[l][tx + j * WIDE];
            for (unsigned i = 0; i < DOWN; ++i)
                for (unsigned j = 0; j < ACROSS; ++j)
                    results[i][j] += p[i] * q[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < DOWN; ++i)
        for (unsigned j = 0; j < ACROSS; ++j) {
            const unsigned row = row0 + ty + i * HIGH, col = col0 + tx + j * WIDE;
            if (row < m && col < n)
                c[at(row, n, col)] = results[i][j];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    const unsigned across = (n + SIDE - 1) / SIDE, down = (m + SIDE - 1) / SIDE;
    if (across == 0 || down == 0)
        return cudaSuccess;
    blocked_kernel<<<dim3(across, down), THREADS>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
