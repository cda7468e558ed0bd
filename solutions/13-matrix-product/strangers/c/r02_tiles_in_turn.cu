// Right: two pairs of tiles in turn with one barrier for each, and a grid in one row of blocks for product_blocked.
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

static __host__ __device__ unsigned ceil_div(unsigned p, unsigned q) {
    return p / q + (p % q ? 1 : 0);
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    const unsigned j = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned i = threadIdx.y + blockIdx.y * blockDim.y;
    if (j >= n)
        return;
    if (i >= m)
        return;
    const float *const row_of_a = &a[(size_t)i * k];
    float sum = 0;
    for (size_t l = 0; l < k; ++l)
        sum = __fmaf_rn(row_of_a[l], b[l * n + j], sum);
    c[(size_t)i * n + j] = sum;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 shape(edge, edge);
        const dim3 grid(ceil_div(n, edge), ceil_div(m, edge));
        naive_kernel<<<grid, shape>>>(a, b, m, n, k, c);
        const cudaError_t refused = cudaGetLastError();
        return refused;
    }
    return cudaSuccess;
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    // Two pairs of tiles in turn: while some threads still add up one, others load the other.
    __shared__ float tile_a[2][EDGE][EDGE];
    __shared__ float tile_b[2][EDGE][EDGE];
    const unsigned j = threadIdx.x + blockIdx.x * EDGE;
    const unsigned i = threadIdx.y + blockIdx.y * EDGE;
    float sum = 0;
    unsigned turn = 0;
    for (unsigned from = 0; from < k; from += EDGE) {
        const unsigned lx = from + threadIdx.x;
        const unsigned ly = from + threadIdx.y;
        tile_a[turn][threadIdx.y][threadIdx.x] = i < m && lx < k ? a[(size_t)i * k + lx] : 0;
        tile_b[turn][threadIdx.y][threadIdx.x] = j < n && ly < k ? b[(size_t)ly * n + j] : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            sum = __fmaf_rn(tile_a[turn][threadIdx.y][l], tile_b[turn][l][threadIdx.x], sum);
        turn ^= 1;
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 shape(EDGE, EDGE);
        const dim3 grid(ceil_div(n, EDGE), ceil_div(m, EDGE));
        tiled_kernel<EDGE><<<grid, shape>>>(a, b, m, n, k, c);
        const cudaError_t refused = cudaGetLastError();
        return refused;
    }
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
    __shared__ float tile_a[2][EDGE][EDGE];
    __shared__ float tile_b[2][EDGE][ROW];
    const unsigned j = threadIdx.x + blockIdx.x * EDGE;
    const unsigned i = threadIdx.y + blockIdx.y * EDGE;
    const unsigned j_of_load = threadIdx.y + blockIdx.x * EDGE;
    float sum = 0;
    unsigned turn = 0;
    for (unsigned from = 0; from < k; from += EDGE) {
        const unsigned l_of_load = from + threadIdx.x;
        float word_a = 0, word_b = 0;
        if (l_of_load < k) {
            if (i < m)
                word_a = a[(size_t)i * k + l_of_load];
            if (j_of_load < n)
                word_b = bt[(size_t)j_of_load * k + l_of_load];
        }
        tile_a[turn][threadIdx.y][threadIdx.x] = word_a;
        tile_b[turn][threadIdx.y][threadIdx.x] = word_b;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            sum = __fmaf_rn(tile_a[turn][threadIdx.y][l], tile_b[turn][threadIdx.x][l], sum);
        turn ^= 1;
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 shape(EDGE, EDGE);
        const dim3 grid(ceil_div(n, EDGE), ceil_div(m, EDGE));
        transposed_kernel<EDGE, ROW><<<grid, shape>>>(a, bt, m, n, k, c);
        const cudaError_t refused = cudaGetLastError();
        return refused;
    }
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
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    // Blocks are numbered in one row: block 0 is at the top left, the next one is to its right.
    __shared__ float tile_a[2][SIDE][STEP];
    __shared__ float tile_b[2][STEP][SIDE];
    const unsigned across = ceil_div(n, SIDE);
    const unsigned i0 = blockIdx.x / across * SIDE;
    const unsigned j0 = blockIdx.x % across * SIDE;
    const unsigned me = threadIdx.y * THREADS + threadIdx.x;
    float sum[RESULTS * RESULTS] = {0};
    unsigned turn = 0;
    for (unsigned from = 0; from < k; from += STEP) {
        for (unsigned e = me; e < SIDE * STEP; e += THREADS * THREADS) {
            const unsigned i = e / STEP, l = e % STEP;
            tile_a[turn][i][l] =
                i0 + i < m && from + l < k ? a[(size_t)(i0 + i) * k + from + l] : 0;
            const unsigned ll = e / SIDE, j = e % SIDE;
            tile_b[turn][ll][j] =
                j0 + j < n && from + ll < k ? b[(size_t)(from + ll) * n + j0 + j] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; ++l) {
            float words_of_b[RESULTS];
            for (unsigned s = 0; s < RESULTS; ++s)
                words_of_b[s] = tile_b[turn][l][threadIdx.x + s * THREADS];
            for (unsigned r = 0; r < RESULTS; ++r) {
                const float word_of_a = tile_a[turn][threadIdx.y + r * THREADS][l];
                for (unsigned s = 0; s < RESULTS; ++s)
                    sum[r * RESULTS + s] =
                        __fmaf_rn(word_of_a, words_of_b[s], sum[r * RESULTS + s]);
            }
        }
        turn ^= 1;
    }
    for (unsigned r = 0; r < RESULTS; ++r)
        for (unsigned s = 0; s < RESULTS; ++s) {
            const unsigned i = i0 + threadIdx.y + r * THREADS;
            const unsigned j = j0 + threadIdx.x + s * THREADS;
            if (i < m && j < n)
                c[(size_t)i * n + j] = sum[r * RESULTS + s];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 shape(THREADS, THREADS);
        const unsigned blocks = ceil_div(n, SIDE) * ceil_div(m, SIDE);
        blocked_kernel<<<blocks, shape>>>(a, b, m, n, k, c);
        const cudaError_t refused = cudaGetLastError();
        return refused;
    }
    return cudaSuccess;
    // END TODO(5)
}
