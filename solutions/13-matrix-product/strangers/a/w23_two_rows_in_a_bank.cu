// Wrong: two rows of 16 words end in the bank of the first: 6 passes for 4 multiply-adds of a warp.
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
namespace {

/* A matrix in global memory. Words outside of it are 0. */
struct View {
    const float *words;
    unsigned rows, columns;

    __device__ float at(unsigned row, unsigned column) const {
        return row < rows && column < columns ? words[row * columns + column] : 0.f;
    }
};

/* The product: words outside of it go nowhere. */
struct Target {
    float *words;
    unsigned rows, columns;

    __device__ bool has(unsigned row, unsigned column) const {
        return row < rows && column < columns;
    }
    __device__ void put(unsigned row, unsigned column, float value) const {
        if (has(row, column))
            words[row * columns + column] = value;
    }
};

dim3 grid_of(unsigned m, unsigned n, unsigned size) {
    return dim3((n + size - 1) / size, (m + size - 1) / size);
}

} // namespace

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
    const Target target{c, m, n};

    if (target.has(row, column)) {
        float sum = 0.f;
        for (unsigned l = 0; l != k; ++l)
            sum = fmaf(a[row * k + l], b[l * n + column], sum);
        target.put(row, column, sum);
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    naive_kernel<<<grid_of(m, n, edge), dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float part_a[EDGE][EDGE];
    __shared__ float part_b[EDGE][EDGE];
    const View va{a, m, k}, vb{b, k, n};
    const unsigned row = blockIdx.y * EDGE + threadIdx.y;
    const unsigned column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.f;

    for (unsigned step = 0; step < k; step += EDGE) {
        part_a[threadIdx.y][threadIdx.x] = va.at(row, step + threadIdx.x);
        part_b[threadIdx.y][threadIdx.x] = vb.at(step + threadIdx.y, column);
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < EDGE; ++l)
            sum = fmaf(part_a[threadIdx.y][l], part_b[l][threadIdx.x], sum);
        __syncthreads(); // the tiles are free again
    }
    Target{c, m, n}.put(row, column, sum);
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    tiled_kernel<EDGE><<<grid_of(m, n, EDGE), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
    __shared__ float part_a[EDGE][EDGE];
    __shared__ float part_b[EDGE][ROW];
    const View va{a, m, k}, view_bt{bt, n, k};
    const unsigned first_row = blockIdx.y * EDGE, first_column = blockIdx.x * EDGE;
    float sum = 0.f;

    for (unsigned step = 0; step < k; step += EDGE) {
        part_a[threadIdx.y][threadIdx.x] = va.at(first_row + threadIdx.y, step + threadIdx.x);
        part_b[threadIdx.y][threadIdx.x] = view_bt.at(first_column + threadIdx.y, step + threadIdx.x);
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < EDGE; ++l)
            sum = fmaf(part_a[threadIdx.y][l], part_b[threadIdx.x][l], sum);
        __syncthreads();
    }
    Target{c, m, n}.put(first_row + threadIdx.y, first_column + threadIdx.x, sum);
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    transposed_kernel<EDGE, ROW><<<grid_of(m, n, EDGE), dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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
// neighbours. Tiles of a and b are STEP wide along k.
enum { THREADS = 16, RESULTS = 2, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float part_a[SIDE][STEP];
    __shared__ float part_b[STEP][SIDE];
    const View va{a, m, k}, vb{b, k, n};
    const unsigned first_row = blockIdx.y * SIDE, first_column = blockIdx.x * SIDE;
    const unsigned rank = threadIdx.y * THREADS + threadIdx.x;
    float sums[RESULTS][RESULTS] = {};

    for (unsigned step = 0; step < k; step += STEP) {
        for (unsigned i = rank; i < SIDE * STEP; i += THREADS * THREADS)
            part_a[i / STEP][i % STEP] = va.at(first_row + i / STEP, step + i % STEP);
        for (unsigned i = rank; i < STEP * SIDE; i += THREADS * THREADS)
            part_b[i / SIDE][i % SIDE] = vb.at(step + i / SIDE, first_column + i % SIDE);
        __syncthreads();
        for (unsigned l = 0; l < STEP; ++l) {
            float column_of_a[RESULTS];
            for (unsigned i = 0; i < RESULTS; ++i)
                column_of_a[i] = part_a[RESULTS * threadIdx.y + i][l];
            for (unsigned j = 0; j < RESULTS; ++j) {
                const float word = part_b[l][RESULTS * threadIdx.x + j];
                for (unsigned i = 0; i < RESULTS; ++i)
                    sums[i][j] = fmaf(column_of_a[i], word, sums[i][j]);
            }
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < RESULTS; ++i)
        for (unsigned j = 0; j < RESULTS; ++j)
            Target{c, m, n}.put(first_row + RESULTS * threadIdx.y + i,
                                first_column + RESULTS * threadIdx.x + j, sums[i][j]);
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (!m || !n)
        return cudaSuccess;
    blocked_kernel<<<grid_of(m, n, SIDE), dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
