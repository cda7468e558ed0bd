// Wrong: padding of 4 words leaves the rows of 36 words in 8 banks, so a warp of 32 x 32 takes 4 passes for a load.
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
    const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const bool mine = row < m && col < n;
    float acc = 0.f;

    if (mine) {
        const float *row_of_a = a + row * k;
        for (unsigned left = k; left > 0; --left)
            acc = fmaf(row_of_a[k - left], b[(k - left) * n + col], acc);
        c[row * n + col] = acc;
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 grid((n - 1) / edge + 1, (m - 1) / edge + 1);
        naive_kernel<<<grid, dim3(edge, edge)>>>(a, b, m, n, k, c);
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
    // Two pairs of tiles in turn: who is still busy with one of them is not disturbed by the next.
    __shared__ float sa[2][EDGE][EDGE];
    __shared__ float sb[2][EDGE][EDGE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y, col = blockIdx.x * EDGE + x;
    unsigned turn = 0;
    float acc = 0.f;

    for (unsigned base = 0; base < k; base += EDGE, turn ^= 1) {
        sa[turn][y][x] = row < m && base + x < k ? a[row * k + base + x] : 0.f;
        sb[turn][y][x] = col < n && base + y < k ? b[(base + y) * n + col] : 0.f;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            acc = fmaf(sa[turn][y][l], sb[turn][l][x], acc);
    }
    if (row < m && col < n)
        c[row * n + col] = acc;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 grid((n - 1) / EDGE + 1, (m - 1) / EDGE + 1);
        tiled_kernel<EDGE><<<grid, dim3(EDGE, EDGE)>>>(a, b, m, n, k, c);
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
enum { PAD = 4 }; // words
// END TODO(4)

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    // TODO(3): as TODO 2; which rows of bt belong to this block? (about 20 lines)
    __shared__ float sa[2][EDGE][EDGE];
    __shared__ float sb[2][EDGE][ROW];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + y, col = blockIdx.x * EDGE + x;
    const unsigned bt_row = blockIdx.x * EDGE + y;
    unsigned turn = 0;
    float acc = 0.f;

    for (unsigned base = 0; base < k; base += EDGE, turn ^= 1) {
        sa[turn][y][x] = row < m && base + x < k ? a[row * k + base + x] : 0.f;
        sb[turn][y][x] = bt_row < n && base + x < k ? bt[bt_row * k + base + x] : 0.f;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            acc = fmaf(sa[turn][y][l], sb[turn][x][l], acc);
    }
    if (row < m && col < n)
        c[row * n + col] = acc;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 grid((n - 1) / EDGE + 1, (m - 1) / EDGE + 1);
        transposed_kernel<EDGE, ROW><<<grid, dim3(EDGE, EDGE)>>>(a, bt, m, n, k, c);
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
    enum { ALL = THREADS * THREADS, EACH = SIDE * STEP / ALL };
    __shared__ float sa[SIDE][STEP];
    __shared__ float sb[STEP][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y, id = y * THREADS + x;
    const unsigned row0 = blockIdx.y * SIDE, col0 = blockIdx.x * SIDE;
    float acc[RESULTS][RESULTS] = {}, next_a[EACH], next_b[EACH];

    // The next tiles' words come into registers while the present ones are in use.
    auto prefetch = [&](unsigned base) {
        for (unsigned e = 0; e < EACH; ++e) {
            const unsigned w = id + e * ALL;
            const unsigned row = row0 + w / STEP, la = base + w % STEP;
            const unsigned col = col0 + w % SIDE, lb = base + w / SIDE;
            next_a[e] = row < m && la < k ? a[row * k + la] : 0.f;
            next_b[e] = lb < k && col < n ? b[lb * n + col] : 0.f;
        }
    };
    prefetch(0);
    for (unsigned base = 0; base < k; base += STEP) {
        for (unsigned e = 0; e < EACH; ++e) {
            const unsigned w = id + e * ALL;
            sa[w / STEP][w % STEP] = next_a[e];
            sb[w / SIDE][w % SIDE] = next_b[e];
        }
        __syncthreads();
        prefetch(base + STEP);
        for (unsigned l = 0; l < STEP; ++l) {
            float fa[RESULTS], fb[RESULTS];
            for (unsigned r = 0; r < RESULTS; ++r) {
                fa[r] = sa[y + r * THREADS][l];
                fb[r] = sb[l][x + r * THREADS];
            }
            for (unsigned p = 0; p < RESULTS; ++p)
                for (unsigned q = 0; q < RESULTS; ++q)
                    acc[p][q] = fmaf(fa[p], fb[q], acc[p][q]);
        }
        __syncthreads();
    }
    for (unsigned p = 0; p < RESULTS; ++p) {
        const unsigned row = row0 + y + p * THREADS;
        for (unsigned q = 0; row < m && q < RESULTS; ++q) {
            const unsigned col = col0 + x + q * THREADS;
            if (col < n)
                c[row * n + col] = acc[p][q];
        }
    }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m > 0 && n > 0) {
        const dim3 grid((n - 1) / SIDE + 1, (m - 1) / SIDE + 1);
        blocked_kernel<<<grid, dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(5)
}
