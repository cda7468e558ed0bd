// Wrong: where k is 0 nothing is launched, and c keeps what it held instead of becoming 0.
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
#define CEIL_DIV(p, q) (((p) + (q) - 1) / (q))
/* Word (y, x) of a flat tile with rows of `row` words. */
#define WORD(tile, row, y, x) (tile)[(y) * (row) + (x)]
/* Launches blocks of size × size threads, each of which makes made × made elements, and returns. */
#define RUN(kernel, size, made, p, q)                                                              \
    do {                                                                                           \
        if (m == 0 || n == 0 || k == 0)                                                            \
            return cudaSuccess;                                                                    \
        dim3 grid_(CEIL_DIV(n, made), CEIL_DIV(m, made), 1), block_(size, size, 1);                \
        (kernel)<<<grid_, block_>>>(p, q, m, n, k, c);                                             \
        return cudaGetLastError();                                                                 \
    } while (0)

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
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    unsigned l;

    if (i >= m || j >= n)
        return;
    for (l = 0; l < k; ++l)
        s += WORD(a, k, i, l) * WORD(b, n, l, j);
    WORD(c, n, i, j) = s;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    RUN(naive_kernel, edge, edge, a, b);
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float tiles[2 * EDGE * EDGE];
    float *const tile_a = tiles, *const tile_b = tiles + EDGE * EDGE;
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned i = blockIdx.y * EDGE + y, j = blockIdx.x * EDGE + x;
    float s = 0;

    for (unsigned t = 0; t < CEIL_DIV(k, EDGE); ++t) {
        unsigned lx = t * EDGE + x, ly = t * EDGE + y;
        WORD(tile_a, EDGE, y, x) = i < m && lx < k ? WORD(a, k, i, lx) : 0;
        WORD(tile_b, EDGE, y, x) = ly < k && j < n ? WORD(b, n, ly, j) : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            s += WORD(tile_a, EDGE, y, l) * WORD(tile_b, EDGE, l, x);
        __syncthreads();
    }
    if (i < m && j < n)
        WORD(c, n, i, j) = s;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    RUN(tiled_kernel<EDGE>, EDGE, EDGE, a, b);
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
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned i = blockIdx.y * EDGE + y, j0 = blockIdx.x * EDGE;
    float s = 0;

    for (unsigned t = 0; t < CEIL_DIV(k, EDGE); ++t) {
        unsigned l0 = t * EDGE;
        WORD(tile_a, EDGE, y, x) = i < m && l0 + x < k ? WORD(a, k, i, l0 + x) : 0;
        WORD(tile_b, ROW, y, x) = j0 + y < n && l0 + x < k ? WORD(bt, k, j0 + y, l0 + x) : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            s += WORD(tile_a, EDGE, y, l) * WORD(tile_b, ROW, x, l);
        __syncthreads();
    }
    if (i < m && j0 + x < n)
        WORD(c, n, i, j0 + x) = s;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    auto kernel = transposed_kernel<EDGE, ROW>;
    RUN(kernel, EDGE, EDGE, a, bt);
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
// A block of 8 × 8 threads makes 64 × 64 elements of c, each thread 8 × 8 of them, 8 apart.
enum { THREADS = 8, RESULTS = 8, SIDE = THREADS * RESULTS, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float tile_a[SIDE * STEP];
    __shared__ float tile_b[STEP * SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y, me = y * THREADS + x;
    unsigned i0 = blockIdx.y * SIDE, j0 = blockIdx.x * SIDE;
    float s[RESULTS * RESULTS];
    unsigned p, q, l;

    for (p = 0; p < RESULTS * RESULTS; ++p)
        s[p] = 0;
    for (unsigned t = 0; t < CEIL_DIV(k, STEP); ++t) {
        unsigned l0 = t * STEP;
        for (p = 0; p < SIDE * STEP; p += THREADS * THREADS) {
            unsigned i = i0 + (p + me) / STEP, la = l0 + (p + me) % STEP;
            unsigned j = j0 + (p + me) % SIDE, lb = l0 + (p + me) / SIDE;
            tile_a[p + me] = i < m && la < k ? WORD(a, k, i, la) : 0;
            tile_b[p + me] = lb < k && j < n ? WORD(b, n, lb, j) : 0;
        }
        __syncthreads();
#pragma unroll
        for (l = 0; l < STEP; ++l) {
            float fa[RESULTS], fb[RESULTS];
            for (p = 0; p < RESULTS; ++p) {
                fa[p] = WORD(tile_a, STEP, y + p * THREADS, l);
                fb[p] = WORD(tile_b, SIDE, l, x + p * THREADS);
            }
            for (p = 0; p < RESULTS; ++p)
                for (q = 0; q < RESULTS; ++q)
                    s[p * RESULTS + q] += fa[p] * fb[q];
        }
        __syncthreads();
    }
    for (p = 0; p < RESULTS; ++p)
        for (q = 0; q < RESULTS; ++q) {
            unsigned i = i0 + y + p * THREADS, j = j0 + x + q * THREADS;
            if (i < m && j < n)
                WORD(c, n, i, j) = s[p * RESULTS + q];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    RUN(blocked_kernel, THREADS, SIDE, a, b);
    // END TODO(5)
}
