// Wrong: a block that makes several squares of c goes on with the sums of the one before.
// Kind: cleared
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

static __host__ __device__ inline unsigned pieces(unsigned total, unsigned each) {
    return total / each + (total % each != 0);
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    unsigned i = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned j = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < m && j < n) {
        float t = 0.f;
        unsigned l = 0;
        while (l < k) {
            t = fmaf(a[i * k + l], b[l * n + j], t);
            l++;
        }
        c[i * n + j] = t;
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
    dim3 block(edge, edge);
    dim3 grid(pieces(n, block.x), pieces(m, block.y));
    naive_kernel<<<grid, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float at[EDGE][EDGE];
    __shared__ float bt[EDGE][EDGE];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    unsigned i = EDGE * blockIdx.y + y;
    unsigned j = EDGE * blockIdx.x + x;
    float t = 0.f;

    for (unsigned l = 0; l < k; l += EDGE) {
        if (i < m && l + x < k)
            at[y][x] = a[i * k + l + x];
        else
            at[y][x] = 0.f;
        if (j < n && l + y < k)
            bt[y][x] = b[(l + y) * n + j];
        else
            bt[y][x] = 0.f;
        __syncthreads();
        for (unsigned e = 0; e < EDGE; e++)
            t = fmaf(at[y][e], bt[e][x], t);
        __syncthreads();
    }
    if (i < m && j < n)
        c[i * n + j] = t;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 block(EDGE, EDGE);
    dim3 grid(pieces(n, EDGE), pieces(m, EDGE));
    tiled_kernel<EDGE><<<grid, block>>>(a, b, m, n, k, c);
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
    // The tile of bt is turned while it is stored, and read along its rows then.
    __shared__ float at[EDGE][EDGE];
    __shared__ float turned[EDGE][ROW];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    unsigned i = EDGE * blockIdx.y + y;
    unsigned j0 = EDGE * blockIdx.x;
    float t = 0.f;

    for (unsigned l = 0; l < k; l += EDGE) {
        at[y][x] = i < m && l + x < k ? a[i * k + l + x] : 0.f;
        turned[x][y] = j0 + y < n && l + x < k ? bt[(j0 + y) * k + l + x] : 0.f;
        __syncthreads();
        for (unsigned e = 0; e < EDGE; e++)
            t = fmaf(at[y][e], turned[e][x], t);
        __syncthreads();
    }
    if (i < m && j0 + x < n)
        c[i * n + j0 + x] = t;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 block(EDGE, EDGE);
    dim3 grid(pieces(n, EDGE), pieces(m, EDGE));
    transposed_kernel<EDGE, ROW><<<grid, block>>>(a, bt, m, n, k, c);
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

/* Not more blocks than a T4 has multiprocessors are launched. Each makes one square of c after the other. */
enum { MOST_BLOCKS = 40 };

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float at[SIDE][STEP];
    __shared__ float bt[STEP][SIDE];
    unsigned x = threadIdx.x;
    unsigned y = threadIdx.y;
    unsigned n_wide = pieces(n, SIDE), squares = n_wide * pieces(m, SIDE);

    float t[RESULTS][RESULTS] = {};

    for (unsigned square = blockIdx.x; square < squares; square += gridDim.x) {
        unsigned i0 = square / n_wide * SIDE, j0 = square % n_wide * SIDE;

        for (unsigned l = 0; l < k; l += STEP) {
            for (unsigned w = y * THREADS + x; w < SIDE * STEP; w += THREADS * THREADS) {
                unsigned i = i0 + w / STEP, la = l + w % STEP;
                at[w / STEP][w % STEP] = i < m && la < k ? a[i * k + la] : 0.f;
                unsigned j = j0 + w % SIDE, lb = l + w / SIDE;
                bt[w / SIDE][w % SIDE] = j < n && lb < k ? b[lb * n + j] : 0.f;
            }
            __syncthreads();
            for (unsigned e = 0; e < STEP; e++) {
                float fa[RESULTS], fb[RESULTS];
                for (unsigned r = 0; r < RESULTS; r++) {
                    fa[r] = at[y + r * THREADS][e];
                    fb[r] = bt[e][x + r * THREADS];
                }
                for (unsigned r = 0; r < RESULTS; r++)
                    for (unsigned s = 0; s < RESULTS; s++)
                        t[r][s] = fmaf(fa[r], fb[s], t[r][s]);
            }
            __syncthreads();
        }
        for (unsigned r = 0; r < RESULTS; r++)
            for (unsigned s = 0; s < RESULTS; s++) {
                unsigned i = i0 + y + r * THREADS, j = j0 + x + s * THREADS;
                if (i < m && j < n)
                    c[i * n + j] = t[r][s];
            }
    }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    unsigned squares = pieces(n, SIDE) * pieces(m, SIDE);
    dim3 block(THREADS, THREADS);
    blocked_kernel<<<squares < MOST_BLOCKS ? squares : MOST_BLOCKS, block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
