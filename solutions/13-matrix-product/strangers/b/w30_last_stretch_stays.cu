// Wrong: each launch of a long k stores its own sum over that of the launches before.
// Kind: store
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

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    const unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned place = i * n + j;

    if (i < m && j < n) {
        float sum = 0.0f;
        for (unsigned l = 0; l < k; l++)
            sum += a[i * k + l] * b[l * n + j];
        c[place] = sum;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 in_block(edge, edge), in_grid((n - 1 + edge) / edge, (m - 1 + edge) / edge);
    naive_kernel<<<in_grid, in_block>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float rows[EDGE][EDGE], columns[EDGE][EDGE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE + y, j = blockIdx.x * EDGE + x;
    float sum = 0.0f;
    unsigned from = 0;

    // Tiles that are whole along k.
    for (; from + EDGE <= k; from += EDGE) {
        rows[y][x] = i < m ? a[i * k + from + x] : 0.0f;
        columns[y][x] = j < n ? b[(from + y) * n + j] : 0.0f;
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < EDGE; l++)
            sum += rows[y][l] * columns[l][x];
        __syncthreads();
    }
    // What is left.
    if (from < k) {
        if (i < m && from + x < k)
            rows[y][x] = a[i * k + from + x];
        if (j < n && from + y < k)
            columns[y][x] = b[(from + y) * n + j];
        __syncthreads();
        if (i < m && j < n)
            for (unsigned l = 0; l < k - from; l++)
                sum += rows[y][l] * columns[l][x];
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
    const dim3 in_block(EDGE, EDGE), in_grid((n - 1 + EDGE) / EDGE, (m - 1 + EDGE) / EDGE);
    tiled_kernel<EDGE><<<in_grid, in_block>>>(a, b, m, n, k, c);
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
    __shared__ float rows[EDGE][EDGE], columns[EDGE][ROW];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE + y, j = blockIdx.x * EDGE + x, of_bt = blockIdx.x * EDGE + y;
    float sum = 0.0f;

    for (unsigned from = 0; from < k; from += EDGE) {
        rows[y][x] = i < m && from + x < k ? a[i * k + from + x] : 0.0f;
        columns[y][x] = of_bt < n && from + x < k ? bt[of_bt * k + from + x] : 0.0f;
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < EDGE; l++)
            sum += rows[y][l] * columns[x][l];
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
    const dim3 in_block(EDGE, EDGE), in_grid((n - 1 + EDGE) / EDGE, (m - 1 + EDGE) / EDGE);
    transposed_kernel<EDGE, ROW><<<in_grid, in_block>>>(a, bt, m, n, k, c);
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
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

/* No launch goes further along k than this, so that a display is not kept waiting. */
enum { MOST_STEPS = 1 << 14 };

/* Adds up l = first to last - 1. */
static __device__ void run(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               unsigned start, unsigned stop, float *c) {
    __shared__ float rows[SIDE][STEP], columns[STEP][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i0 = blockIdx.y * SIDE, j0 = blockIdx.x * SIDE;
    float sums[RESULTS][RESULTS] = {};

    for (unsigned from = start; from < stop; from += STEP) {
        for (unsigned w = y * THREADS + x; w < SIDE * STEP; w += THREADS * THREADS) {
            const unsigned i = i0 + w / STEP, la = from + w % STEP;
            const unsigned j = j0 + w % SIDE, lb = from + w / SIDE;
            rows[w / STEP][w % STEP] = i < m && la < stop ? a[i * k + la] : 0.0f;
            columns[w / SIDE][w % SIDE] = j < n && lb < stop ? b[lb * n + j] : 0.0f;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float p[RESULTS], q[RESULTS];
            for (unsigned r = 0; r < RESULTS; r++) {
                p[r] = rows[y + r * THREADS][l];
                q[r] = columns[l][x + r * THREADS];
            }
            for (unsigned r = 0; r < RESULTS; r++)
                for (unsigned s = 0; s < RESULTS; s++)
                    sums[r][s] += p[r] * q[s];
        }
        __syncthreads();
    }
    for (unsigned r = 0; r < RESULTS; r++)
        for (unsigned s = 0; s < RESULTS; s++) {
            const unsigned i = i0 + y + r * THREADS, j = j0 + x + s * THREADS;
            if (i < m && j < n)
                c[i * n + j] = sums[r][s];
        }
}

__global__ void run_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               unsigned start, unsigned stop, float *c) {
    run(a, b, m, n, k, start, stop, c);
}

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    run(a, b, m, n, k, 0, k, c);
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 in_block(THREADS, THREADS), in_grid((n - 1 + SIDE) / SIDE, (m - 1 + SIDE) / SIDE);
    cudaError_t error = cudaSuccess;
    if (k <= MOST_STEPS) {
        blocked_kernel<<<in_grid, in_block>>>(a, b, m, n, k, c);
        error = cudaGetLastError();
    } else {
        for (unsigned start = 0; start < k && error == cudaSuccess; start += MOST_STEPS) {
            const unsigned stop = k - start < MOST_STEPS ? k : start + MOST_STEPS;
            run_kernel<<<in_grid, in_block>>>(a, b, m, n, k, start, stop, c);
            error = cudaGetLastError();
        }
    }
    return error;
    // END TODO(5)
}
