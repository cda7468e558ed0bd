// Wrong: product_tiled pads its tile of a, too: warps that store several rows of 9 or 17 words meet in a bank.
// Kind: shared
/*
 * Lab 13: block shapes for a matrix product. Handout: handouts/13-matrix-product.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the product without shared memory (TODO 1), by tiles
 * (TODO 2), by tiles of a transposed matrix (TODO 3), the same without bank conflicts (TODO 4), and
 * several results a thread (TODO 5). Each can be tested when it is done.
 */
#include "matrix_product.h"
/* A tile of H × W words in shared memory, whose rows lie PITCH words apart. */
template <unsigned H, unsigned W, unsigned PITCH = W>
struct SharedTile {
    float words[H][PITCH];

    /* The threads of a block fetch the part of a matrix that begins at (top, left). What lies outside of
     * the matrix is 0. */
    __device__ void load(const float *matrix, unsigned rows, unsigned columns, unsigned top, unsigned left) {
        const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
        for (unsigned i = tid; i < H * W; i += blockDim.x * blockDim.y) {
            const unsigned row = top + i / W, column = left + i % W;
            words[i / W][i % W] = row < rows && column < columns ? matrix[row * columns + column] : 0.0f;
        }
    }

    __device__ float operator()(unsigned y, unsigned x) const {
        return words[y][x];
    }
};

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
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && column < n) {
        float sum = 0.0f;
        const float *const row_of_a = a + row * k;
        const float *const column_of_b = b + column;
#pragma unroll 8
        for (unsigned l = 0; l < k; ++l)
            sum = __fmaf_rn(row_of_a[l], column_of_b[l * n], sum);
        c[row * n + column] = sum;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge);
    naive_kernel<<<grid, dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ SharedTile<EDGE, EDGE, EDGE + 1> tile_a;
    __shared__ SharedTile<EDGE, EDGE> tile_b;
    const unsigned top = blockIdx.y * EDGE, left = blockIdx.x * EDGE;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;

    for (unsigned at = 0; at < k; at += EDGE) {
        tile_a.fetch(a, m, k, top, at);
        tile_b.fetch(b, k, n, at, left);
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            sum += tile_a(y, l) * tile_b(l, x);
        __syncthreads();
    }
    if (top + y < m && left + x < n)
        c[(top + y) * n + left + x] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
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
enum { PAD = 1 }; // words
// END TODO(4)

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    // TODO(3): as TODO 2; which rows of bt belong to this block? (about 20 lines)
    __shared__ SharedTile<EDGE, EDGE> tile_a;
    __shared__ SharedTile<EDGE, EDGE, ROW> tile_bt;
    const unsigned top = blockIdx.y * EDGE, left = blockIdx.x * EDGE;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;

    for (unsigned at = 0; at < k; at += EDGE) {
        tile_a.fetch(a, m, k, top, at);
        tile_bt.fetch(bt, n, k, left, at);
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            sum += tile_a(y, l) * tile_bt(x, l);
        __syncthreads();
    }
    if (top + y < m && left + x < n)
        c[(top + y) * n + left + x] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
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
// A block of THREADS × THREADS threads makes SIDE × SIDE elements of c, each thread RESULTS × RESULTS
// of them. Tiles of a and b are STEP wide along k.
enum { THREADS = 16, RESULTS = 8, SIDE = THREADS * RESULTS, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ SharedTile<SIDE, STEP> tile_a;
    __shared__ SharedTile<STEP, SIDE> tile_b;
    const unsigned top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float sums[RESULTS][RESULTS] = {};

    for (unsigned at = 0; at < k; at += STEP) {
        tile_a.fetch(a, m, k, top, at);
        tile_b.fetch(b, k, n, at, left);
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < STEP; ++l) {
            float of_a[RESULTS], of_b[RESULTS];
#pragma unroll
            for (unsigned i = 0; i < RESULTS; ++i) {
                of_a[i] = tile_a(y + i * THREADS, l);
                of_b[i] = tile_b(l, x + i * THREADS);
            }
#pragma unroll
            for (unsigned i = 0; i < RESULTS; ++i)
#pragma unroll
                for (unsigned j = 0; j < RESULTS; ++j)
                    sums[i][j] += of_a[i] * of_b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < RESULTS; ++i)
#pragma unroll
        for (unsigned j = 0; j < RESULTS; ++j) {
            const unsigned row = top + y + i * THREADS, column = left + x + j * THREADS;
            if (row < m && column < n)
                c[row * n + column] = sums[i][j];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
    blocked_kernel<<<grid, dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
