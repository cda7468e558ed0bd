// Right: no padding, since word x of row y lies at x ^ y; blocks are numbered in one dimension; eight results in a column.
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

/* Blocks are numbered along the rows of tiles, in a grid of one dimension. */
struct corner {
    unsigned row, col;
    __device__ corner(unsigned n, unsigned high, unsigned wide) {
        unsigned across = (n - 1) / wide + 1;
        row = blockIdx.x / across * high;
        col = blockIdx.x % across * wide;
    }
};

template <typename KERNEL>
static cudaError_t cover(KERNEL kernel, const float *a, const float *b, unsigned m, unsigned n,
                         unsigned k, float *c, unsigned high, unsigned wide, dim3 threads) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    unsigned blocks = ((m - 1) / high + 1) * ((n - 1) / wide + 1);
    kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
// END TODO(0)

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    corner at(n, blockDim.y, blockDim.x);
    unsigned row = at.row + threadIdx.y, col = at.col + threadIdx.x;
    if (row < m && col < n) {
        float even = 0, odd = 0;
        unsigned l = 0;
        for (; l + 1 < k; l += 2) {
            even += a[(size_t)row * k + l] * b[(size_t)l * n + col];
            odd += a[(size_t)row * k + l + 1] * b[(size_t)(l + 1) * n + col];
        }
        if (l < k)
            even += a[(size_t)row * k + l] * b[(size_t)l * n + col];
        c[(size_t)row * n + col] = even + odd;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    return cover(naive_kernel, a, b, m, n, k, c, edge, edge, dim3(edge, edge));
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    // Two pairs of tiles in turn: one barrier for each pair.
    __shared__ float tile[2][2][EDGE][EDGE];
    unsigned x = threadIdx.x, y = threadIdx.y, turn = 0;
    corner at(n, EDGE, EDGE);
    float sum = 0;
    for (unsigned first = 0; first < k; first += EDGE, turn ^= 1) {
        float(*of_a)[EDGE] = tile[turn][0], (*of_b)[EDGE] = tile[turn][1];
        of_a[y][x] = at.row + y < m && first + x < k ? a[(size_t)(at.row + y) * k + first + x] : 0;
        of_b[y][x] = at.col + x < n && first + y < k ? b[(size_t)(first + y) * n + at.col + x] : 0;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            sum += of_a[y][i] * of_b[i][x];
    }
    if (at.row + y < m && at.col + x < n)
        c[(size_t)(at.row + y) * n + at.col + x] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    return cover(tiled_kernel<EDGE>, a, b, m, n, k, c, EDGE, EDGE, dim3(EDGE, EDGE));
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
enum { PAD = 0 }; // words: transposed_kernel needs none
// END TODO(4)

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    // TODO(3): as TODO 2; which rows of bt belong to this block? (about 20 lines)
    // Word x of row y lies at x ^ y, so that a column of the tile lies in banks of its own.
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][ROW];
    unsigned x = threadIdx.x, y = threadIdx.y;
    corner at(n, EDGE, EDGE);
    float sum = 0;
    for (unsigned first = 0; first < k; first += EDGE) {
        float of_a = 0, of_b = 0;
        if (first + x < k) {
            if (at.row + y < m)
                of_a = a[(size_t)(at.row + y) * k + first + x];
            if (at.col + y < n)
                of_b = bt[(size_t)(at.col + y) * k + first + x];
        }
        tile_a[y][x] = of_a;
        tile_b[y][x ^ y] = of_b;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[x][i ^ x];
        __syncthreads();
    }
    if (at.row + y < m && at.col + x < n)
        c[(size_t)(at.row + y) * n + at.col + x] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    return cover(transposed_kernel<EDGE, ROW>, a, bt, m, n, k, c, EDGE, EDGE, dim3(EDGE, EDGE));
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
// A block of ACROSS × DOWN threads makes ACROSS columns of HIGH elements of c, each thread RESULTS
// neighbours of a column. Tiles of a and b are STEP wide along k.
enum { ACROSS = 32, DOWN = 8, RESULTS = 8, HIGH = DOWN * RESULTS, STEP = 32 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float tile_a[HIGH][STEP], tile_b[STEP][ACROSS];
    unsigned x = threadIdx.x, y = threadIdx.y;
    corner at(n, HIGH, ACROSS);
    unsigned col = at.col + x;
    float sums[RESULTS] = {0, 0, 0, 0, 0, 0, 0, 0};

    for (unsigned first = 0; first < k; first += STEP) {
        for (unsigned i = y; i < HIGH; i += DOWN) {
            bool inside = at.row + i < m && first + x < k;
            tile_a[i][x] = inside ? a[(size_t)(at.row + i) * k + first + x] : 0;
        }
        for (unsigned l = y; l < STEP; l += DOWN) {
            bool inside = first + l < k && col < n;
            tile_b[l][x] = inside ? b[(size_t)(first + l) * n + col] : 0;
        }
        __syncthreads();
#pragma unroll 4
        for (unsigned l = 0; l < STEP; l++) {
            float of_b = tile_b[l][x];
#pragma unroll
            for (unsigned r = 0; r < RESULTS; r++)
                sums[r] += tile_a[y * RESULTS + r][l] * of_b;
        }
        __syncthreads();
    }
    if (col >= n)
        return;
#pragma unroll
    for (unsigned r = 0; r < RESULTS; r++)
        if (at.row + y * RESULTS + r < m)
            c[(size_t)(at.row + y * RESULTS + r) * n + col] = sums[r];
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    return cover(blocked_kernel, a, b, m, n, k, c, HIGH, ACROSS, dim3(ACROSS, DOWN));
    // END TODO(5)
}
