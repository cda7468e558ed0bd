// Wrong: a thread makes 1 x 4 elements: 5 words of shared memory for 4 multiply-adds are more than a pass for each.
// Kind: access
/*
 * Lab 13: block shapes for a matrix product. Handout: handouts/13-matrix-product.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the product without shared memory (TODO 1), by tiles
 * (TODO 2), by tiles of a transposed matrix (TODO 3), the same without bank conflicts (TODO 4), and
 * several results a thread (TODO 5). Each can be tested when it is done.
 */
#include "matrix_product.h"
#include <math.h>

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
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * blockDim.x + x;
    int row = blockIdx.y * blockDim.y + y;
    int rows = (int)m, columns = (int)n, length = (int)k;

    if (column < columns && row < rows) {
        float s0 = 0, s1 = 0; /* even and odd places */
        int l;
        for (l = 0; l + 1 < length; l += 2) {
            s0 += a[row * length + l] * b[l * columns + column];
            s1 += a[row * length + l + 1] * b[(l + 1) * columns + column];
        }
        if (l < length)
            s0 += a[row * length + l] * b[l * columns + column];
        c[row * columns + column] = s0 + s1;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 threads(edge, edge);
    dim3 blocks((unsigned)ceil((double)n / edge), (unsigned)ceil((double)m / edge));
    naive_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float as[EDGE][EDGE];
    __shared__ float bs[EDGE][EDGE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    int rows = (int)m, columns = (int)n, length = (int)k;
    int l = 0;
    float sum = 0;

    while (l < length) {
        as[y][x] = 0;
        bs[y][x] = 0;
        if (row < rows && l + x < length)
            as[y][x] = a[row * length + l + x];
        if (column < columns && l + y < length)
            bs[y][x] = b[(l + y) * columns + column];
        __syncthreads();
        for (int i = 0; i < (int)EDGE; i++)
            sum += as[y][i] * bs[i][x];
        l += EDGE;
        __syncthreads();
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 threads(EDGE, EDGE);
    dim3 blocks((unsigned)ceil((double)n / EDGE), (unsigned)ceil((double)m / EDGE));
    tiled_kernel<EDGE><<<blocks, threads>>>(a, b, m, n, k, c);
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
    __shared__ float as[EDGE][EDGE];
    __shared__ float bs[EDGE][ROW];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    int line = blockIdx.x * EDGE + y; /* of bt */
    int rows = (int)m, columns = (int)n, length = (int)k;
    int l = 0;
    float sum = 0;

    while (l < length) {
        int is_inside = l + x < length;
        as[y][x] = is_inside && row < rows ? a[row * length + l + x] : 0;
        bs[y][x] = is_inside && line < columns ? bt[line * length + l + x] : 0;
        __syncthreads();
        for (int i = 0; i < (int)EDGE; i++)
            sum += as[y][i] * bs[x][i];
        l += EDGE;
        __syncthreads();
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 threads(EDGE, EDGE);
    dim3 blocks((unsigned)ceil((double)n / EDGE), (unsigned)ceil((double)m / EDGE));
    transposed_kernel<EDGE, ROW><<<blocks, threads>>>(a, bt, m, n, k, c);
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
// A block has WIDE × HIGH threads, and each of them makes DOWN × ACROSS elements of c. Tiles of a
// and b are STEP wide along k.
enum { WIDE = 16, HIGH = 32, ACROSS = 4, DOWN = 1, STEP = 16 };
enum { COLUMNS = WIDE * ACROSS, ROWS = HIGH * DOWN };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float as[ROWS][STEP];
    __shared__ float bs[STEP][COLUMNS];
    const int x = threadIdx.x, y = threadIdx.y, t = y * WIDE + x;
    const int top = blockIdx.y * ROWS, left = blockIdx.x * COLUMNS;
    const int rows = (int)m, columns = (int)n, length = (int)k;
    float sums[DOWN][ACROSS] = {{0}};

    for (int begin = 0; begin < length; begin += STEP) {
        for (int i = t; i < ROWS * STEP; i += WIDE * HIGH) {
            int row = top + i / STEP, l = begin + i % STEP;
            as[i / STEP][i % STEP] = row < rows && l < length ? a[row * length + l] : 0;
        }
        for (int i = t; i < STEP * COLUMNS; i += WIDE * HIGH) {
            int l = begin + i / COLUMNS, column = left + i % COLUMNS;
            bs[i / COLUMNS][i % COLUMNS] = l < length && column < columns ? b[l * columns + column] : 0;
        }
        __syncthreads();
        for (int l = 0; l < STEP; l++) {
            float from_a[DOWN], from_b[ACROSS];
            for (int i = 0; i < DOWN; i++)
                from_a[i] = as[i * HIGH + y][l];
            for (int j = 0; j < ACROSS; j++)
                from_b[j] = bs[l][j * WIDE + x];
            for (int i = 0; i < DOWN; i++)
                for (int j = 0; j < ACROSS; j++)
                    sums[i][j] += from_a[i] * from_b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < ACROSS; j++) {
            int row = top + i * HIGH + y, column = left + j * WIDE + x;
            if (row < rows && column < columns)
                c[row * columns + column] = sums[i][j];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (n == 0 || m == 0)
        return cudaSuccess;
    dim3 threads(WIDE, HIGH);
    dim3 blocks((unsigned)ceil((double)n / COLUMNS), (unsigned)ceil((double)m / ROWS));
    blocked_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
