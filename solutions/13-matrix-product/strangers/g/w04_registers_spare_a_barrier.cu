// Wrong: since the next words wait in registers, no barrier is needed behind the use of the tiles.
// Kind: barrier
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

/* A word of a matrix, or 0 where it has none. */
static __device__ float word_of(const float *matrix, unsigned rows, unsigned columns, unsigned i,
                                unsigned j) {
    if (i >= rows || j >= columns)
        return 0.0f;
    return matrix[(size_t)i * columns + j];
}

static unsigned parts(unsigned all, unsigned size) {
    return all / size + (all % size ? 1 : 0);
}

static dim3 blocks_for(unsigned m, unsigned n, unsigned side) {
    return dim3(parts(n, side), parts(m, side));
}

extern __shared__ float dynamic_words[];
// END TODO(0)

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    const unsigned j = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned i = threadIdx.y + blockDim.y * blockIdx.y;
    if (i < m && j < n) {
        const float *left = a + (size_t)i * k, *below = b + j;
        float product = 0.0f;
        for (unsigned rest = k; rest > 0; rest--) {
            product = fmaf(*left, *below, product);
            left++;
            below += n;
        }
        c[(size_t)i * n + j] = product;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m != 0 && n != 0) {
        naive_kernel<<<blocks_for(m, n, edge), dim3(edge, edge)>>>(a, b, m, n, k, c);
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
    __shared__ float left[EDGE][EDGE], right[EDGE][EDGE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned i = EDGE * blockIdx.y + ty, j = EDGE * blockIdx.x + tx;
    // What comes next is on its way while the tiles are used.
    float next_left = word_of(a, m, k, i, tx), next_right = word_of(b, k, n, ty, j);
    float product = 0.0f;

    for (unsigned begin = 0; begin < k; begin += EDGE) {
        left[ty][tx] = next_left;
        right[ty][tx] = next_right;
        __syncthreads();
        next_left = word_of(a, m, k, i, begin + EDGE + tx);
        next_right = word_of(b, k, n, begin + EDGE + ty, j);
#pragma unroll
        for (unsigned l = 0; l < EDGE; l++)
            product = fmaf(left[ty][l], right[l][tx], product);
    }
    if (i < m && j < n)
        c[(size_t)i * n + j] = product;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m != 0 && n != 0) {
        tiled_kernel<EDGE><<<blocks_for(m, n, EDGE), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
    // Both tiles in dynamic shared memory: rows of EDGE words, then rows of ROW words
    float *const left = dynamic_words, *const right = dynamic_words + EDGE * EDGE;
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned top = EDGE * blockIdx.y, side = EDGE * blockIdx.x;
    float product = 0.0f;

    for (unsigned begin = 0; begin < k; begin += EDGE) {
        left[EDGE * ty + tx] = word_of(a, m, k, top + ty, begin + tx);
        right[ROW * ty + tx] = word_of(bt, n, k, side + ty, begin + tx);
        __syncthreads();
        const float *of_a = left + EDGE * ty, *of_b = right + ROW * tx;
        for (unsigned l = 0; l < EDGE; l++)
            product = fmaf(of_a[l], of_b[l], product);
        __syncthreads();
    }
    if (top + ty < m && side + tx < n)
        c[(size_t)(top + ty) * n + side + tx] = product;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m != 0 && n != 0) {
        const size_t words = EDGE * EDGE + EDGE * ROW;
        transposed_kernel<EDGE, ROW>
            <<<blocks_for(m, n, EDGE), dim3(EDGE, EDGE), words * sizeof(float)>>>(a, bt, m, n, k, c);
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
enum { THREADS = 8, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float left[SIDE][STEP], right[STEP][SIDE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned i = SIDE * blockIdx.y + ty, j = SIDE * blockIdx.x + tx; // the thread's first ones
    float product[RESULTS * RESULTS];
#pragma unroll
    for (unsigned e = 0; e < RESULTS * RESULTS; e++)
        product[e] = 0.0f;

    for (unsigned begin = 0; begin < k; begin += STEP) {
        for (unsigned skip = 0; skip < SIDE; skip += THREADS) {
            for (unsigned l = tx; l < STEP; l += THREADS)
                left[ty + skip][l] = word_of(a, m, k, i + skip, begin + l);
            for (unsigned l = ty; l < STEP; l += THREADS)
                right[l][tx + skip] = word_of(b, k, n, begin + l, j + skip);
        }
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < STEP; l++) {
            float row[RESULTS];
#pragma unroll
            for (unsigned q = 0; q < RESULTS; q++)
                row[q] = right[l][tx + THREADS * q];
#pragma unroll
            for (unsigned p = 0; p < RESULTS; p++) {
                float factor = left[ty + THREADS * p][l];
#pragma unroll
                for (unsigned q = 0; q < RESULTS; q++)
                    product[RESULTS * p + q] = fmaf(factor, row[q], product[RESULTS * p + q]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned e = 0; e < RESULTS * RESULTS; e++) {
        unsigned to_i = i + e / RESULTS * THREADS, to_j = j + e % RESULTS * THREADS;
        if (to_i < m && to_j < n)
            c[(size_t)to_i * n + to_j] = product[e];
    }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m != 0 && n != 0) {
        blocked_kernel<<<blocks_for(m, n, SIDE), dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(5)
}
