// Right: product_blocked keeps words of a in the lanes of a warp, and hands them round by shuffles.
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
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= m)
        return;
    float f = 0;
    for (unsigned l = k; l-- > 0;)
        f += a[y * k + l] * b[l * n + x];
    c[y * n + x] = f;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (size_t{m} * n == 0)
        return cudaSuccess;
    const dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge);
    naive_kernel<<<grid, dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float of_a[EDGE][EDGE], of_b[EDGE][EDGE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned x = blockIdx.x * EDGE + tx, y = blockIdx.y * EDGE + ty;
    const auto a_at = [&](unsigned l) { return y < m && l < k ? a[y * k + l] : 0.f; };
    const auto b_at = [&](unsigned l) { return x < n && l < k ? b[l * n + x] : 0.f; };
    float f = 0;

    for (unsigned l0 = 0; l0 < k; l0 += EDGE) {
        of_a[ty][tx] = a_at(l0 + tx);
        of_b[ty][tx] = b_at(l0 + ty);
        __syncthreads();
        for (unsigned l = 0; l < EDGE; l++)
            f += of_a[ty][l] * of_b[l][tx];
        __syncthreads();
    }
    if (x < n && y < m)
        c[y * n + x] = f;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (size_t{m} * n == 0)
        return cudaSuccess;
    const dim3 grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
    tiled_kernel<EDGE><<<grid, dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
    __shared__ float of_a[EDGE][EDGE], of_b[EDGE][ROW];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned x = blockIdx.x * EDGE + tx, y = blockIdx.y * EDGE + ty;
    const unsigned n_tiles = (k + EDGE - 1) / EDGE;
    float f = 0;

    for (unsigned tile = 0; tile < n_tiles; tile++) {
        const unsigned l0 = tile * EDGE + tx, r = blockIdx.x * EDGE + ty;
        of_a[ty][tx] = y < m && l0 < k ? a[y * k + l0] : 0.f;
        of_b[ty][tx] = r < n && l0 < k ? bt[r * k + l0] : 0.f;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; l++)
            f += of_a[ty][l] * of_b[tx][l];
        __syncthreads();
    }
    if (x < n && y < m)
        c[y * n + x] = f;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (size_t{m} * n == 0)
        return cudaSuccess;
    const dim3 grid((n + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE);
    transposed_kernel<EDGE, ROW><<<grid, dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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
// A block has HIGH warps. Each of them makes DOWN rows of c, and each lane ACROSS elements in each of
// these. STEP is a warp's lanes: each keeps a word of each of the warp's rows of a.
enum { LANES = 32, HIGH = 8, DOWN = 4, ACROSS = 2, STEP = LANES };
enum { ROWS = HIGH * DOWN, COLUMNS = LANES * ACROSS };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float of_b[STEP][COLUMNS];
    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    const unsigned top = blockIdx.y * ROWS + warp * DOWN, left = blockIdx.x * COLUMNS + lane;
    float f[DOWN][ACROSS] = {};

    for (unsigned l0 = 0; l0 < k; l0 += STEP) {
        float of_a[DOWN];
        for (unsigned r = 0; r < DOWN; r++)
            of_a[r] = top + r < m && l0 + lane < k ? a[(top + r) * k + l0 + lane] : 0.f;
        for (unsigned l = warp; l < STEP; l += HIGH)
            for (unsigned q = 0; q < ACROSS; q++) {
                const unsigned x = left + q * LANES;
                of_b[l][q * LANES + lane] = l0 + l < k && x < n ? b[(l0 + l) * n + x] : 0.f;
            }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float words[ACROSS];
            for (unsigned q = 0; q < ACROSS; q++)
                words[q] = of_b[l][q * LANES + lane];
            for (unsigned r = 0; r < DOWN; r++) {
                const float word = __shfl_sync(0xffffffff, of_a[r], l);
                for (unsigned q = 0; q < ACROSS; q++)
                    f[r][q] += word * words[q];
            }
        }
        __syncthreads();
    }
    for (unsigned r = 0; r < DOWN; r++)
        for (unsigned q = 0; q < ACROSS; q++)
            if (top + r < m && left + q * LANES < n)
                c[(top + r) * n + left + q * LANES] = f[r][q];
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (size_t{m} * n == 0)
        return cudaSuccess;
    const dim3 grid((n + COLUMNS - 1) / COLUMNS, (m + ROWS - 1) / ROWS);
    blocked_kernel<<<grid, dim3(LANES, HIGH)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
