// Wrong: product_blocked sees whether there is anything to add up by m * n * k, which is 0 in 32 bits for cubes of 2,048: c is filled with 0 there.
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

/* The whole tiles first, which need no question about k, then what is left of k. */
template <unsigned EDGE, unsigned ROW, bool TRANSPOSED>
static __device__ void product_by_tiles(const float *a, const float *b, unsigned m, unsigned n,
                                        unsigned k, float *c) {
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][ROW];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y;
    const unsigned column = blockIdx.x * EDGE + x;
    const unsigned column_y = blockIdx.x * EDGE + y;
    float sum = 0.0f;

    unsigned t = 0;
    for (; t + EDGE <= k; t += EDGE) {
        tile_a[y][x] = row < m ? a[row * k + t + x] : 0.0f;
        if (TRANSPOSED)
            tile_b[y][x] = column_y < n ? b[column_y * k + t + x] : 0.0f;
        else
            tile_b[y][x] = column < n ? b[(t + y) * n + column] : 0.0f;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; ++i)
            sum += tile_a[y][i] * (TRANSPOSED ? tile_b[x][i] : tile_b[i][x]);
        __syncthreads();
    }

    const unsigned rest = k - t;
    if (rest != 0) {
        if (x < rest)
            tile_a[y][x] = row < m ? a[row * k + t + x] : 0.0f;
        if (TRANSPOSED) {
            if (x < rest)
                tile_b[y][x] = column_y < n ? b[column_y * k + t + x] : 0.0f;
        } else {
            if (y < rest)
                tile_b[y][x] = column < n ? b[(t + y) * n + column] : 0.0f;
        }
        __syncthreads();
        for (unsigned i = 0; i < rest; ++i)
            sum += tile_a[y][i] * (TRANSPOSED ? tile_b[x][i] : tile_b[i][x]);
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}

__global__ void zero_kernel(float *c, unsigned elements) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements)
        c[i] = 0.0f;
}

static unsigned round_up_divide(unsigned number, unsigned by) {
    return (number + by - 1) / by;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && column < n) {
        float sum = 0.0f;
        unsigned at_a = row * k, at_b = column;
        for (unsigned i = 0; i < k; ++i, ++at_a, at_b += n)
            sum += a[at_a] * b[at_b];
        c[row * n + column] = sum;
    }
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    if (!m || !n)
        return cudaSuccess;
    const unsigned across = round_up_divide(n, edge);
    const unsigned down = round_up_divide(m, edge);
    naive_kernel<<<dim3(across, down), dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    product_by_tiles<EDGE, EDGE, false>(a, b, m, n, k, c);
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    if (!m || !n)
        return cudaSuccess;
    const unsigned across = round_up_divide(n, EDGE);
    const unsigned down = round_up_divide(m, EDGE);
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
    product_by_tiles<EDGE, ROW, true>(a, bt, m, n, k, c);
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    if (!m || !n)
        return cudaSuccess;
    const unsigned across = round_up_divide(n, EDGE);
    const unsigned down = round_up_divide(m, EDGE);
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

// A block of WIDTH × HEIGHT threads makes SIDE × SIDE elements of c: each thread two in a row, and
// SIDE / HEIGHT such rows. Tiles of a and b are STEP wide along k.
enum { WIDTH = 32, HEIGHT = 8, SIDE = 64, DOWN = SIDE / HEIGHT, STEP = 8 };

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    __shared__ float tile_a[SIDE][STEP];
    __shared__ float tile_b[STEP][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned first_row = blockIdx.y * SIDE;
    const unsigned column = blockIdx.x * SIDE + x;
    float left[DOWN], right[DOWN];
    for (unsigned d = 0; d < DOWN; ++d)
        left[d] = right[d] = 0.0f;

    for (unsigned t = 0; t < k; t += STEP) {
        // a warp loads 4 rows of a's tile at once, and one of b's in two halves
        for (unsigned part = 0; part < 2; ++part) {
            const unsigned at = part * 32 + y * 4 + x / 8;
            const unsigned l = t + x % 8;
            tile_a[at][x % 8] = first_row + at < m && l < k ? a[(first_row + at) * k + l] : 0.0f;
        }
        const bool in_k = t + y < k;
        tile_b[y][x] = in_k && column < n ? b[(t + y) * n + column] : 0.0f;
        tile_b[y][x + 32] = in_k && column + 32 < n ? b[(t + y) * n + column + 32] : 0.0f;
        __syncthreads();
        for (unsigned l = 0; l < STEP; ++l) {
            const float b_left = tile_b[l][x], b_right = tile_b[l][x + 32];
            for (unsigned d = 0; d < DOWN; ++d) {
                const float of_a = tile_a[y + HEIGHT * d][l];
                left[d] += of_a * b_left;
                right[d] += of_a * b_right;
            }
        }
        __syncthreads();
    }

    for (unsigned d = 0; d < DOWN; ++d) {
        const unsigned row = first_row + y + HEIGHT * d;
        if (row < m) {
            if (column < n)
                c[row * n + column] = left[d];
            if (column + 32 < n)
                c[row * n + column + 32] = right[d];
        }
    }
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    if (!m || !n)
        return cudaSuccess;
    if (m * n * k == 0) { // no products: all sums are 0
        zero_kernel<<<round_up_divide(m * n, 256), 256>>>(c, m * n);
        return cudaGetLastError();
    }
    const unsigned across = round_up_divide(n, SIDE);
    const unsigned down = round_up_divide(m, SIDE);
    blocked_kernel<<<dim3(across, down), dim3(WIDTH, HEIGHT)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
}
