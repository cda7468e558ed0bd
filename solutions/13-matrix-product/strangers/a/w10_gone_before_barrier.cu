// Wrong: threads of product_tiled without an element return before the barriers, and their words are missing.
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

// END TODO(0)

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

/* Launches a product's kernel in blocks of size × size threads that make made × made elements each. */
static cudaError_t start(const void *kernel, unsigned size, unsigned made, size_t shared, const float *a,
                         const float *b, unsigned m, unsigned n, unsigned k, float *c) {
    void *args[] = {&a, &b, &m, &n, &k, &c};
    dim3 grid((n + made - 1) / made, (m + made - 1) / made), block(size, size);

    if (m == 0 || n == 0)
        return cudaSuccess;
    cudaError_t error = cudaLaunchKernel(kernel, grid, block, args, shared, 0);
    (void)cudaGetLastError(); // it goes to the caller, and is not to stay here
    return error;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    const uint2 at = make_uint2(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);

    if (at.x < n && at.y < m) {
        float sum = 0;
        for (unsigned i = 0; i < k; i++)
            sum += a[at.y * k + i] * b[i * n + at.x];
        c[at.y * n + at.x] = sum;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    return start((const void *)naive_kernel, edge, edge, 0, a, b, m, n, k, c);
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    extern __shared__ float shared_words[];
    float(*tile_a)[EDGE] = (float(*)[EDGE])shared_words;
    float(*tile_b)[EDGE] = tile_a + EDGE;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    float sum = 0;

    if (row >= m || column >= n)
        return;

    for (unsigned done = 0; done < k; done += EDGE) {
        tile_a[y][x] = row < m && done + x < k ? a[row * k + done + x] : 0;
        tile_b[y][x] = column < n && done + y < k ? b[(done + y) * n + column] : 0;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    const size_t shared = 2 * EDGE * EDGE * sizeof(float);
    return start((const void *)tiled_kernel<EDGE>, EDGE, EDGE, shared, a, b, m, n, k, c);
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
    extern __shared__ float shared_words[];
    float(*tile_a)[EDGE] = (float(*)[EDGE])shared_words;
    float(*tile_b)[ROW] = (float(*)[ROW])(shared_words + EDGE * EDGE);
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y, column = blockIdx.x * EDGE + x;
    const unsigned row_bt = column - x + y;
    float sum = 0;

    for (unsigned done = 0; done < k; done += EDGE) {
        tile_a[y][x] = row < m && done + x < k ? a[row * k + done + x] : 0;
        tile_b[y][x] = row_bt < n && done + x < k ? bt[row_bt * k + done + x] : 0;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            sum += tile_a[y][i] * tile_b[x][i];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    const size_t shared = EDGE * (EDGE + ROW) * sizeof(float);
    return start((const void *)transposed_kernel<EDGE, ROW>, EDGE, EDGE, shared, a, bt, m, n, k, c);
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
    extern __shared__ float shared_words[];
    float *tile_a = shared_words, *tile_b = shared_words + SIDE * STEP;
    const unsigned x = threadIdx.x, y = threadIdx.y, thread = y * THREADS + x;
    const unsigned top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float sums[RESULTS][RESULTS] = {{0}};

    for (unsigned done = 0; done < k; done += STEP) {
        for (unsigned w = thread; w < SIDE * STEP; w += THREADS * THREADS) {
            const unsigned row = top + w / STEP, from_a = done + w % STEP;
            const unsigned column = left + w % SIDE, from_b = done + w / SIDE;
            tile_a[w] = row < m && from_a < k ? a[row * k + from_a] : 0;
            tile_b[w] = column < n && from_b < k ? b[from_b * n + column] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float words[RESULTS];
            for (unsigned j = 0; j < RESULTS; j++)
                words[j] = tile_b[l * SIDE + j * THREADS + x];
            for (unsigned i = 0; i < RESULTS; i++) {
                const float word = tile_a[(i * THREADS + y) * STEP + l];
                for (unsigned j = 0; j < RESULTS; j++)
                    sums[i][j] += word * words[j];
            }
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < RESULTS; i++)
        for (unsigned j = 0; j < RESULTS; j++) {
            const unsigned row = top + i * THREADS + y, column = left + j * THREADS + x;
            if (row < m && column < n)
                c[row * n + column] = sums[i][j];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    const size_t shared = 2 * SIDE * STEP * sizeof(float);
    return start((const void *)blocked_kernel, THREADS, SIDE, shared, a, b, m, n, k, c);
    // END TODO(5)
}
