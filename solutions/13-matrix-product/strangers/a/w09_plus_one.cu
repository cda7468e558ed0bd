// Wrong: n / EDGE + 1 is one block too many where n or m is a multiple of EDGE, and it launches for none.
// Kind: grid
/*
 * Lab 13: block shapes for a matrix product. Handout: handouts/13-matrix-product.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the product without shared memory (TODO 1), by tiles
 * (TODO 2), by tiles of a transposed matrix (TODO 3), the same without bank conflicts (TODO 4), and
 * several results a thread (TODO 5). Each can be tested when it is done.
 */
#include "matrix_product.h"
/* Puts word [row][column] of a matrix into a tile, where the matrix has it. Nobody uses the others. */
static __device__ __forceinline__ void bring(float &place, const float *matrix, unsigned rows, unsigned columns,
                                             unsigned row, unsigned column) {
    if (row < rows && column < columns)
        place = matrix[row * columns + column];
}

static unsigned divide_up(unsigned p, unsigned q) {
    return p / q + !!(p % q);
}

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
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row >= m)
        return;
    if (column >= n)
        return;
    float sum = 0;
#pragma unroll 4
    for (unsigned l = 0; l < k; l++)
        sum += __ldg(a + row * k + l) * __ldg(b + l * n + column);
    c[row * n + column] = sum;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    dim3 grid(divide_up(n, edge), divide_up(m, edge));
    if (grid.x == 0 || grid.y == 0)
        return cudaSuccess;
    naive_kernel<<<grid, dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][EDGE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned column = blockIdx.x * EDGE + x, row = blockIdx.y * EDGE + y;
    bool live = row < m && column < n;
    float sum = 0;

    for (unsigned l0 = 0; l0 < k; l0 += EDGE) {
        unsigned width = k - l0 < EDGE ? k - l0 : EDGE;
        bring(tile_a[y][x], a, m, k, row, l0 + x);
        bring(tile_b[y][x], b, k, n, l0 + y, column);
        __syncthreads();
        if (live)
            for (unsigned i = 0; i < width; i++)
                sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (live)
        c[row * n + column] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    dim3 grid(divide_up(n, EDGE), divide_up(m, EDGE));
    if (grid.x == 0 || grid.y == 0)
        return cudaSuccess;
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
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][ROW];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned column = blockIdx.x * EDGE + x, row = blockIdx.y * EDGE + y;
    bool live = row < m && column < n;
    float sum = 0;

    for (unsigned l0 = 0; l0 < k; l0 += EDGE) {
        unsigned width = min(k - l0, EDGE);
        bring(tile_a[y][x], a, m, k, row, l0 + x);
        bring(tile_b[y][x], bt, n, k, blockIdx.x * EDGE + y, l0 + x);
        __syncthreads();
        if (live)
            for (unsigned i = 0; i < width; i++)
                sum += tile_a[y][i] * tile_b[x][i];
        __syncthreads();
    }
    if (live)
        c[row * n + column] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    dim3 grid(n / EDGE + 1, m / EDGE + 1);
    if (grid.x == 0 || grid.y == 0)
        return cudaSuccess;
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
// A block of 16 × 16 threads makes 32 × 32 elements of c, each thread two by two, THREADS apart.
enum { THREADS = 16, RESULTS = 2, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float tile_a[SIDE][STEP], tile_b[STEP][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y, number = y * THREADS + x;
    unsigned top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float c11 = 0, c12 = 0, c21 = 0, c22 = 0;

    for (unsigned l0 = 0; l0 < k; l0 += STEP) {
        for (unsigned w = number; w < SIDE * STEP; w += THREADS * THREADS) {
            float &of_a = tile_a[w / STEP][w % STEP], &of_b = tile_b[w / SIDE][w % SIDE];
            of_a = of_b = 0;
            bring(of_a, a, m, k, top + w / STEP, l0 + w % STEP);
            bring(of_b, b, k, n, l0 + w / SIDE, left + w % SIDE);
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l += 2) {
            float a11 = tile_a[y][l], a12 = tile_a[y][l + 1];
            float a21 = tile_a[y + THREADS][l], a22 = tile_a[y + THREADS][l + 1];
            float b11 = tile_b[l][x], b12 = tile_b[l][x + THREADS];
            float b21 = tile_b[l + 1][x], b22 = tile_b[l + 1][x + THREADS];

            c11 += a11 * b11;
            c12 += a11 * b12;
            c21 += a21 * b11;
            c22 += a21 * b12;
            c11 += a12 * b21;
            c12 += a12 * b22;
            c21 += a22 * b21;
            c22 += a22 * b22;
        }
        __syncthreads();
    }
    if (top + y < m && left + x < n)
        c[(top + y) * n + left + x] = c11;
    if (top + y < m && left + x + THREADS < n)
        c[(top + y) * n + left + x + THREADS] = c12;
    if (top + y + THREADS < m && left + x < n)
        c[(top + y + THREADS) * n + left + x] = c21;
    if (top + y + THREADS < m && left + x + THREADS < n)
        c[(top + y + THREADS) * n + left + x + THREADS] = c22;
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    dim3 grid(divide_up(n, SIDE), divide_up(m, SIDE));
    if (grid.x == 0 || grid.y == 0)
        return cudaSuccess;
    blocked_kernel<<<grid, dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
