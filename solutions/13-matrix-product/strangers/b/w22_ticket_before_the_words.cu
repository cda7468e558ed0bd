// Wrong: no fence stands between a block's partial sums and its ticket, so that the last block may read old words.
// Kind: fence
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
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < m && column < n) {
        float s = 0;
        for (unsigned l = 0, ia = row * k, ib = column; l < k; ++l, ++ia, ib += n)
            s += a[ia] * b[ib];
        c[row * n + column] = s;
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
    const dim3 threads{edge, edge}, blocks{(n + edge - 1) / edge, (m + edge - 1) / edge};
    naive_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float words_a[EDGE][EDGE], words_b[EDGE][EDGE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    float s = 0;

    for (unsigned begin = 0; begin < k; begin += EDGE) {
        words_a[y][x] = row < m && begin + x < k ? a[row * k + begin + x] : 0;
        words_b[y][x] = begin + y < k && column < n ? b[(begin + y) * n + column] : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            s += words_a[y][l] * words_b[l][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = s;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 threads{EDGE, EDGE}, blocks{(n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE};
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
    __shared__ float words_a[EDGE][EDGE];
    __shared__ float words_b[EDGE][ROW];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y, column0 = blockIdx.x * EDGE;
    float s = 0;

    for (unsigned begin = 0; begin < k; begin += EDGE) {
        words_a[y][x] = row < m && begin + x < k ? a[row * k + begin + x] : 0;
        words_b[y][x] = column0 + y < n && begin + x < k ? bt[(column0 + y) * k + begin + x] : 0;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            s += words_a[y][l] * words_b[x][l];
        __syncthreads();
    }
    if (row < m && column0 + x < n)
        c[row * n + column0 + x] = s;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 threads{EDGE, EDGE}, blocks{(n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE};
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
// A block of THREADS × THREADS threads makes SIDE × SIDE elements of c, each thread RESULTS × RESULTS
// of them. Tiles of a and b are STEP wide along k.
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

/* Adds up l = begin to end - 1 for the SIDE × SIDE elements at (top, left). For all threads of a block. */
static __device__ void accumulate(const float *a, const float *b, unsigned m, unsigned n, unsigned k, unsigned row0,
                              unsigned column0, unsigned begin, unsigned end, float (&s)[RESULTS][RESULTS]) {
    __shared__ float words_a[SIDE][STEP], words_b[STEP][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;

    for (; begin < end; begin += STEP) {
        for (unsigned i = y * THREADS + x; i < SIDE * STEP; i += THREADS * THREADS) {
            const unsigned row = row0 + i / STEP, la = begin + i % STEP;
            const unsigned column = column0 + i % SIDE, lb = begin + i / SIDE;
            words_a[i / STEP][i % STEP] = row < m && la < end ? a[row * k + la] : 0;
            words_b[i / SIDE][i % SIDE] = lb < end && column < n ? b[lb * n + column] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; ++l) {
            float p[RESULTS], q[RESULTS];
            for (unsigned i = 0; i < RESULTS; ++i) {
                p[i] = words_a[i * THREADS + y][l];
                q[i] = words_b[l][i * THREADS + x];
            }
            for (unsigned i = 0; i < RESULTS; ++i)
                for (unsigned j = 0; j < RESULTS; ++j)
                    s[i][j] += p[i] * q[j];
        }
        __syncthreads();
    }
}

/* Where c is small and k long, the sums are cut into slices, each with blocks of its own. What they have
 * goes to `partial`, m × n words a slice, and the last block of each place adds that up. */
enum { SLICE = 1024, MOST_SLICES = 32, SMALL = 512, PLACES = (SMALL / SIDE) * (SMALL / SIDE) };

__device__ unsigned tickets[PLACES]; // how many blocks of a place are done

__global__ void sliced_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                              float *partial, float *c) {
    __shared__ bool is_last;
    const unsigned x = threadIdx.x, y = threadIdx.y, row0 = blockIdx.y * SIDE, column0 = blockIdx.x * SIDE;
    const unsigned share = (k / gridDim.z / STEP + 1) * STEP;
    const unsigned begin = min(blockIdx.z * share, k), end = min(begin + share, k);
    float s[RESULTS][RESULTS] = {};

    accumulate(a, b, m, n, k, row0, column0, begin, end, s);
    for (unsigned i = 0; i < RESULTS; ++i)
        for (unsigned j = 0; j < RESULTS; ++j) {
            const unsigned row = row0 + i * THREADS + y, column = column0 + j * THREADS + x;
            if (row < m && column < n)
                partial[(blockIdx.z * m + row) * n + column] = s[i][j];
        }
    __syncthreads();
    if (x == 0 && y == 0) {
        unsigned *ticket = &tickets[blockIdx.y * gridDim.x + blockIdx.x];
        is_last = atomicAdd(ticket, 1) == gridDim.z - 1;
        if (is_last)
            atomicExch(ticket, 0);
        __threadfence();
    }
    __syncthreads();
    if (!is_last)
        return;
    for (unsigned i = 0; i < RESULTS; ++i)
        for (unsigned j = 0; j < RESULTS; ++j) {
            const unsigned row = row0 + i * THREADS + y, column = column0 + j * THREADS + x;
            if (row >= m || column >= n)
                continue;
            float sum = 0;
            for (unsigned z = 0; z < gridDim.z; ++z)
                sum += __ldcg(&partial[(z * m + row) * n + column]);
            c[row * n + column] = sum;
        }
}

/* The error is the caller's from here on: it does not stay pending. */
static cudaError_t handed_on(cudaError_t error) {
    (void)cudaGetLastError();
    return error;
}

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    const unsigned row0 = blockIdx.y * SIDE, column0 = blockIdx.x * SIDE;
    float s[RESULTS][RESULTS] = {};

    accumulate(a, b, m, n, k, row0, column0, 0, k, s);
    for (unsigned i = 0; i < RESULTS; ++i)
        for (unsigned j = 0; j < RESULTS; ++j) {
            const unsigned row = row0 + i * THREADS + threadIdx.y, column = column0 + j * THREADS + threadIdx.x;
            if (row < m && column < n)
                c[row * n + column] = s[i][j];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 threads{THREADS, THREADS};
    dim3 blocks{(n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE};
    if (m > SMALL || n > SMALL || k < 2 * SLICE) {
        blocked_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
        return cudaGetLastError();
    }
    float *partial;
    blocks.z = k / SLICE < MOST_SLICES ? k / SLICE : MOST_SLICES;
    cudaError_t error = cudaMalloc(&partial, sizeof(float) * blocks.z * m * n);
    if (error != cudaSuccess)
        return handed_on(error);
    sliced_kernel<<<blocks, threads>>>(a, b, m, n, k, partial, c);
    error = cudaGetLastError();
    const cudaError_t freed = handed_on(cudaFree(partial));
    return error != cudaSuccess ? error : freed;
    // END TODO(5)
}
