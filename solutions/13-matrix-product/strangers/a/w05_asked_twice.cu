// Wrong: the first cudaGetLastError clears the error, so that the second one makes cudaSuccess of a refused launch.
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

/* The blocks of a grid of one dimension go down GROUP rows of blocks before they go on to the right: so
 * those that run together share columns of b and rows of a in the second-level cache. */
enum { GROUP = 8 };

struct spot {
    unsigned x, y;
};

static __host__ __device__ unsigned how_many(unsigned whole, unsigned part) {
    return (whole + part - 1) / part;
}

static __device__ spot spot_of(unsigned block, unsigned n_x, unsigned n_y) {
    unsigned group = block / (GROUP * n_x), in_group = block % (GROUP * n_x);
    unsigned above = group * GROUP;
    unsigned height = min((unsigned)GROUP, n_y - above); // the last group may be lower
    return {in_group / height, above + in_group % height};
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (i >= m || j >= n)
        return;
    for (unsigned l = 0, at_a = i * k, at_b = j; l < k; l++, at_a++, at_b += n)
        sum += a[at_a] * b[at_b];
    c[i * n + j] = sum;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    naive_kernel<<<dim3(how_many(n, edge), how_many(m, edge)), dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][EDGE];
    spot block = spot_of(blockIdx.x, how_many(n, EDGE), how_many(m, EDGE));
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned i = block.y * EDGE + y, j = block.x * EDGE + x;
    float sum = 0;

    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = i < m && t + x < k ? a[i * k + t + x] : 0;
        tile_b[y][x] = j < n && t + y < k ? b[(t + y) * n + j] : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; l++)
            sum += tile_a[y][l] * tile_b[l][x];
        __syncthreads();
    }
    if (i < m && j < n)
        c[i * n + j] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    tiled_kernel<EDGE><<<how_many(n, EDGE) * how_many(m, EDGE), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][ROW];
    spot block = spot_of(blockIdx.x, how_many(n, EDGE), how_many(m, EDGE));
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned i = block.y * EDGE + y, j = block.x * EDGE + x, j_of_bt = block.x * EDGE + y;
    float sum = 0;

    for (unsigned t = 0; t < k; t += EDGE) {
        tile_a[y][x] = i < m && t + x < k ? a[i * k + t + x] : 0;
        tile_b[y][x] = j_of_bt < n && t + x < k ? bt[j_of_bt * k + t + x] : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; l++)
            sum += tile_a[y][l] * tile_b[x][l];
        __syncthreads();
    }
    if (i < m && j < n)
        c[i * n + j] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    transposed_kernel<EDGE, ROW><<<how_many(n, EDGE) * how_many(m, EDGE), dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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
    __shared__ float tile_a[STEP][SIDE], tile_b[STEP][SIDE]; // that of a is transposed
    spot block = spot_of(blockIdx.x, how_many(n, SIDE), how_many(m, SIDE));
    unsigned x = threadIdx.x, y = threadIdx.y, thread = y * THREADS + x;
    unsigned i0 = block.y * SIDE, j0 = block.x * SIDE;
    float acc[RESULTS][RESULTS] = {};

    for (unsigned t = 0; t < k; t += STEP) {
        for (unsigned w = thread; w < SIDE * STEP; w += THREADS * THREADS) {
            unsigned i = i0 + w / STEP, l = w % STEP;
            tile_a[l][w / STEP] = i < m && t + l < k ? a[i * k + t + l] : 0;
        }
        for (unsigned w = thread; w < SIDE * STEP; w += THREADS * THREADS) {
            unsigned l = w / SIDE, j = j0 + w % SIDE;
            tile_b[l][w % SIDE] = t + l < k && j < n ? b[(t + l) * n + j] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float words[RESULTS];
            for (unsigned p = 0; p < RESULTS; p++)
                words[p] = tile_a[l][y + p * THREADS];
            for (unsigned q = 0; q < RESULTS; q++) {
                float word = tile_b[l][x + q * THREADS];
                for (unsigned p = 0; p < RESULTS; p++)
                    acc[p][q] += words[p] * word;
            }
        }
        __syncthreads();
    }
    for (unsigned p = 0; p < RESULTS; p++)
        for (unsigned q = 0; q < RESULTS; q++) {
            unsigned i = i0 + y + p * THREADS, j = j0 + x + q * THREADS;
            if (i < m && j < n)
                c[i * n + j] = acc[p][q];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    blocked_kernel<<<how_many(n, SIDE) * how_many(m, SIDE), dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    if (cudaGetLastError() != cudaSuccess)
        return cudaGetLastError();
    return cudaSuccess;
    // END TODO(5)
}
