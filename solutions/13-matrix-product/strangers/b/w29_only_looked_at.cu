// Wrong: cudaPeekAtLastError leaves the error of a refused launch pending, for a later call to find.
// Kind: error
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
    const unsigned j = threadIdx.x + blockIdx.x * blockDim.x, i = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= m || j >= n)
        return;

    auto word_of_a = [=](unsigned l) { return a[i * k + l]; };
    auto word_of_b = [=](unsigned l) { return b[l * n + j]; };
    float sum = 0;
    for (unsigned l = 0; l < k; l++)
        sum += word_of_a(l) * word_of_b(l);
    c[i * n + j] = sum;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    naive_kernel<<<dim3((n + edge - 1) / edge, (m + edge - 1) / edge), dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float tile_a[EDGE][EDGE], tile_b[EDGE][EDGE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE + y, j = blockIdx.x * EDGE + x;
    const bool is_inside = i < m && j < n;
    float sum = 0;

    for (unsigned t = 0; t < k; t += EDGE) {
        if (is_inside && t + EDGE <= k) { // nothing to look after
            tile_a[y][x] = a[i * k + t + x];
            tile_b[y][x] = b[(t + y) * n + j];
        } else {
            tile_a[y][x] = i < m && t + x < k ? a[i * k + t + x] : 0;
            tile_b[y][x] = j < n && t + y < k ? b[(t + y) * n + j] : 0;
        }
        __syncthreads();
        for (unsigned l = 0; l < EDGE; l++)
            sum += tile_a[y][l] * tile_b[l][x];
        __syncthreads();
    }
    if (is_inside)
        c[i * n + j] = sum;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    tiled_kernel<EDGE><<<dim3((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE), dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE + y, j = blockIdx.x * EDGE + x, j_loaded = blockIdx.x * EDGE + y;
    float sum = 0;

    for (unsigned t = 0; t < k; t += EDGE) {
        const unsigned l = t + x;
        float of_a = 0, of_bt = 0;
        if (l < k) {
            if (i < m)
                of_a = a[i * k + l];
            if (j_loaded < n)
                of_bt = bt[j_loaded * k + l];
        }
        tile_a[y][x] = of_a;
        tile_b[y][x] = of_bt;
        __syncthreads();
        for (unsigned e = 0; e < EDGE; e++)
            sum += tile_a[y][e] * tile_b[x][e];
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
    transposed_kernel<EDGE, ROW>
        <<<dim3((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE), dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float tile_a[SIDE][STEP], tile_b[STEP][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y, me = y * THREADS + x;
    const unsigned i0 = blockIdx.y * SIDE, j0 = blockIdx.x * SIDE;
    float sums[RESULTS][RESULTS] = {};

    auto use_tiles = [&] {
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float p[RESULTS], q[RESULTS];
            for (unsigned r = 0; r < RESULTS; r++) {
                p[r] = tile_a[y + r * THREADS][l];
                q[r] = tile_b[l][x + r * THREADS];
            }
            for (unsigned r = 0; r < RESULTS; r++)
                for (unsigned s = 0; s < RESULTS; s++)
                    sums[r][s] += p[r] * q[s];
        }
        __syncthreads();
    };

    // Blocks that lie inside of c compare nothing, as long as whole tiles are left.
    const bool is_inner = m - i0 >= SIDE && n - j0 >= SIDE;
    const unsigned unguarded = is_inner ? k / STEP * STEP : 0;
    for (unsigned t = 0; t < unguarded; t += STEP) {
        for (unsigned w = me; w < SIDE * STEP; w += THREADS * THREADS) {
            tile_a[w / STEP][w % STEP] = a[(i0 + w / STEP) * k + t + w % STEP];
            tile_b[w / SIDE][w % SIDE] = b[(t + w / SIDE) * n + j0 + w % SIDE];
        }
        use_tiles();
    }
    for (unsigned t = unguarded; t < k; t += STEP) {
        for (unsigned w = me; w < SIDE * STEP; w += THREADS * THREADS) {
            const unsigned i = i0 + w / STEP, la = t + w % STEP, j = j0 + w % SIDE, lb = t + w / SIDE;
            tile_a[w / STEP][w % STEP] = i < m && la < k ? a[i * k + la] : 0;
            tile_b[w / SIDE][w % SIDE] = j < n && lb < k ? b[lb * n + j] : 0;
        }
        use_tiles();
    }
    for (unsigned r = 0; r < RESULTS; r++)
        for (unsigned s = 0; s < RESULTS; s++) {
            const unsigned i = i0 + y + r * THREADS, j = j0 + x + s * THREADS;
            if (i < m && j < n)
                c[i * n + j] = sums[r][s];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    blocked_kernel<<<dim3((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE), dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return cudaPeekAtLastError();
    // END TODO(5)
}
