// Wrong: product_tiled leaves the last tile out where k is no multiple of the edge.
// Kind: loop
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

/* How many blocks of `side` rows or columns are needed. */
static unsigned ceil_div(unsigned total, unsigned side) {
    return total / side + (total % side != 0 ? 1 : 0);
}

static dim3 grid_for(unsigned rows, unsigned columns, unsigned side) {
    return dim3(ceil_div(columns, side), ceil_div(rows, side));
}

/* Element (i, j) of a matrix of rows * columns floats, 0 outside. */
__device__ inline float at(const float *matrix, unsigned rows, unsigned columns, unsigned i,
                           unsigned j) {
    return i < rows && j < columns ? matrix[(size_t)i * columns + j] : 0.0f;
}

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m && j < n) {
        const float *p = a + (size_t)i * k;
        const float *q = b + j;
        float acc = 0.0f;
        for (unsigned l = 0; l < k; ++l, ++p, q += n)
            acc = fmaf(*p, *q, acc);
        c[(size_t)i * n + j] = acc;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m != 0 && n != 0) {
        naive_kernel<<<grid_for(m, n, edge), dim3(edge, edge)>>>(a, b, m, n, k, c);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float A[EDGE][EDGE];
    __shared__ float B[EDGE][EDGE];
    const unsigned tx = threadIdx.x;
    const unsigned ty = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE + ty;
    const unsigned j = blockIdx.x * EDGE + tx;
    const unsigned tiles = k / EDGE;

    float acc = 0.0f;
    for (unsigned t = 0; t < tiles; ++t) {
        A[ty][tx] = at(a, m, k, i, t * EDGE + tx);
        B[ty][tx] = at(b, k, n, t * EDGE + ty, j);
        __syncthreads();

#pragma unroll
        for (unsigned l = 0; l < EDGE; ++l)
            acc = fmaf(A[ty][l], B[l][tx], acc);
        __syncthreads();
    }

    if (i < m && j < n)
        c[(size_t)i * n + j] = acc;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m != 0 && n != 0) {
        tiled_kernel<EDGE><<<grid_for(m, n, EDGE), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
        return cudaGetLastError();
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
    __shared__ float A[EDGE][EDGE];
    __shared__ float B[EDGE][ROW];
    const unsigned tx = threadIdx.x;
    const unsigned ty = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE + ty;
    const unsigned j = blockIdx.x * EDGE + tx;
    const unsigned tiles = (k + EDGE - 1) / EDGE;

    float acc = 0.0f;
    for (unsigned t = 0; t < tiles; ++t) {
        A[ty][tx] = at(a, m, k, i, t * EDGE + tx);
        B[ty][tx] = at(bt, n, k, blockIdx.x * EDGE + ty, t * EDGE + tx);
        __syncthreads();

#pragma unroll
        for (unsigned l = 0; l < EDGE; ++l)
            acc = fmaf(A[ty][l], B[tx][l], acc);
        __syncthreads();
    }

    if (i < m && j < n)
        c[(size_t)i * n + j] = acc;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m != 0 && n != 0) {
        transposed_kernel<EDGE, ROW>
            <<<grid_for(m, n, EDGE), dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
        return cudaGetLastError();
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
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float A[SIDE][STEP];
    __shared__ float B[STEP][SIDE];
    const unsigned tx = threadIdx.x; // for loading
    const unsigned ty = threadIdx.y;
    const unsigned mine_i = threadIdx.y; // which rows and columns of the block's part of c are mine
    const unsigned mine_j = threadIdx.x;
    const unsigned top = blockIdx.y * SIDE;
    const unsigned left = blockIdx.x * SIDE;

    float acc[RESULTS][RESULTS];
    for (int r = 0; r < RESULTS; ++r)
        for (int s = 0; s < RESULTS; ++s)
            acc[r][s] = 0.0f;

    for (unsigned t = 0; t < k; t += STEP) {
#pragma unroll
        for (unsigned d = 0; d < SIDE; d += THREADS) {
            A[ty + d][tx] = at(a, m, k, top + ty + d, t + tx);
            B[ty][tx + d] = at(b, k, n, t + ty, left + tx + d);
        }
        __syncthreads();

#pragma unroll
        for (unsigned l = 0; l < STEP; ++l) {
            float u[RESULTS], v[RESULTS];
#pragma unroll
            for (int r = 0; r < RESULTS; ++r)
                u[r] = A[mine_i + r * THREADS][l];
#pragma unroll
            for (int s = 0; s < RESULTS; ++s)
                v[s] = B[l][mine_j + s * THREADS];
#pragma unroll
            for (int r = 0; r < RESULTS; ++r)
#pragma unroll
                for (int s = 0; s < RESULTS; ++s)
                    acc[r][s] = fmaf(u[r], v[s], acc[r][s]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < RESULTS; ++r) {
        const unsigned i = top + mine_i + r * THREADS;
#pragma unroll
        for (int s = 0; s < RESULTS; ++s) {
            const unsigned j = left + mine_j + s * THREADS;
            if (i < m && j < n)
                c[(size_t)i * n + j] = acc[r][s];
        }
    }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m != 0 && n != 0) {
        blocked_kernel<<<grid_for(m, n, SIDE), dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(5)
}
