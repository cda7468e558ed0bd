// Wrong: The first error is kept in a static variable, so that after one launch that was refused all later calls return its error.
// Kind: state
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

/* Element (row, column) of a matrix, or 0 outside of it. */
static __device__ float word_or_zero(const float *matrix, unsigned rows, unsigned columns,
                                     unsigned row, unsigned column) {
    return row < rows && column < columns ? matrix[(size_t)row * columns + column] : 0.0f;
}

static __host__ __device__ unsigned pieces(unsigned length, unsigned size) {
    return length / size + (length % size != 0);
}

static dim3 grid_for(unsigned m, unsigned n, unsigned side) {
    return dim3(pieces(n, side), pieces(m, side));
}

/* What became of the launch just before. */
static cudaError_t launched() {
    static cudaError_t first = cudaSuccess;
    const cudaError_t now = cudaGetLastError();
    if (first == cudaSuccess)
        first = now;
    return first;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    const unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m && j < n) {
        float total = 0;
        for (unsigned l = 0; l != k; l++)
            total = fmaf(a[(size_t)i * k + l], b[(size_t)l * n + j], total);
        c[(size_t)i * n + j] = total;
    }
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    if (m != 0 && n != 0) {
        const dim3 grid(pieces(n, edge), pieces(m, edge));
        naive_kernel<<<grid, dim3(edge, edge)>>>(a, b, m, n, k, c);
        return launched();
    }
    return cudaSuccess;
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][EDGE];
    const unsigned i = blockIdx.y * EDGE + threadIdx.y;
    const unsigned j = blockIdx.x * EDGE + threadIdx.x;
    const unsigned tiles = pieces(k, EDGE);
    float total = 0;
    for (unsigned tile = 0; tile != tiles; tile++) {
        const unsigned first = tile * EDGE;
        tile_a[threadIdx.y][threadIdx.x] = word_or_zero(a, m, k, i, first + threadIdx.x);
        tile_b[threadIdx.y][threadIdx.x] = word_or_zero(b, k, n, first + threadIdx.y, j);
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l != EDGE; l++)
            total = fmaf(tile_a[threadIdx.y][l], tile_b[l][threadIdx.x], total);
        __syncthreads();
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = total;
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    if (m != 0 && n != 0) {
        tiled_kernel<EDGE><<<grid_for(m, n, EDGE), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
        return launched();
    }
    return cudaSuccess;
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
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][ROW];
    const unsigned i = blockIdx.y * EDGE + threadIdx.y;
    const unsigned j = blockIdx.x * EDGE + threadIdx.x;
    const unsigned tiles = pieces(k, EDGE);
    float total = 0;
    for (unsigned tile = 0; tile != tiles; tile++) {
        const unsigned l = tile * EDGE + threadIdx.x;
        tile_a[threadIdx.y][threadIdx.x] = word_or_zero(a, m, k, i, l);
        tile_b[threadIdx.y][threadIdx.x] =
            word_or_zero(bt, n, k, blockIdx.x * EDGE + threadIdx.y, l);
        __syncthreads();
#pragma unroll
        for (unsigned w = 0; w != EDGE; w++)
            total = fmaf(tile_a[threadIdx.y][w], tile_b[threadIdx.x][w], total);
        __syncthreads();
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = total;
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    if (m != 0 && n != 0) {
        const dim3 grid = grid_for(m, n, EDGE);
        transposed_kernel<EDGE, ROW><<<grid, dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
        return launched();
    }
    return cudaSuccess;
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

// A block of THREADS × THREADS threads makes SIDE × SIDE elements of c, each thread RESULTS × RESULTS
// of them. Tiles of a and b are STEP wide along k.
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // The tile of a lies with its columns as rows, one word apart from a power of two.
    __shared__ float tile_a[STEP][SIDE + 1];
    __shared__ float tile_b[STEP][SIDE];
    const unsigned top = blockIdx.y * SIDE;
    const unsigned left = blockIdx.x * SIDE;
    float total[RESULTS][RESULTS];
    for (unsigned p = 0; p != RESULTS; p++)
        for (unsigned q = 0; q != RESULTS; q++)
            total[p][q] = 0;

    const unsigned tiles = pieces(k, STEP);
    for (unsigned tile = 0; tile != tiles; tile++) {
        const unsigned first = tile * STEP;
        // THREADS is STEP: a thread has one column of a's tile and one row of b's
        for (unsigned p = 0; p != RESULTS; p++) {
            const unsigned down = threadIdx.y + p * THREADS;
            const unsigned along = threadIdx.x + p * THREADS;
            tile_a[threadIdx.x][down] = word_or_zero(a, m, k, top + down, first + threadIdx.x);
            tile_b[threadIdx.y][along] = word_or_zero(b, k, n, first + threadIdx.y, left + along);
        }
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l != STEP; l++) {
            float u[RESULTS], v[RESULTS];
            for (unsigned p = 0; p != RESULTS; p++) {
                u[p] = tile_a[l][threadIdx.y + p * THREADS];
                v[p] = tile_b[l][threadIdx.x + p * THREADS];
            }
            for (unsigned p = 0; p != RESULTS; p++)
                for (unsigned q = 0; q != RESULTS; q++)
                    total[p][q] = fmaf(u[p], v[q], total[p][q]);
        }
        __syncthreads();
    }

    for (unsigned p = 0; p != RESULTS; p++) {
        const unsigned i = top + threadIdx.y + p * THREADS;
        for (unsigned q = 0; q != RESULTS; q++) {
            const unsigned j = left + threadIdx.x + q * THREADS;
            if (i < m && j < n)
                c[(size_t)i * n + j] = total[p][q];
        }
    }
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    if (m == 0 || n == 0)
        return cudaSuccess;
    blocked_kernel<<<grid_for(m, n, SIDE), dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return launched();
}
