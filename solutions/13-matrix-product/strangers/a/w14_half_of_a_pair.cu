// Wrong: with one barrier a pair both tiles need a double, but that of b is single and is overwritten while it is read.
// Kind: race
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
    float value = 0.f;

    if (mine) {
        const float *row_of_a = a + row * k;
        for (unsigned left = k; left > 0; --left)
            value = fmaf(row_of_a[k - left], b[(k - left) * n + col], value);
        c[row * n + col] = value;
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
    __shared__ float sa[2][EDGE][EDGE];
    __shared__ float sb[EDGE][EDGE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty, col = blockIdx.x * EDGE + tx;
    unsigned buf = 0;
    float value = 0.f;

    for (unsigned k0 = 0; k0 < k; k0 += EDGE, buf ^= 1) {
        sa[buf][ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.f;
        sb[ty][tx] = col < n && k0 + ty < k ? b[(k0 + ty) * n + col] : 0.f;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            value = fmaf(sa[buf][ty][l], sb[l][tx], value);
    }
    if (row < m && col < n)
        c[row * n + col] = value;
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
enum { PAD = 1 }; // words
// END TODO(4)

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    // TODO(3): as TODO 2; which rows of bt belong to this block? (about 20 lines)
    __shared__ float sa[2][EDGE][EDGE];
    __shared__ float sb[2][EDGE][ROW];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty, col = blockIdx.x * EDGE + tx;
    const unsigned bt_row = blockIdx.x * EDGE + ty;
    unsigned buf = 0;
    float value = 0.f;

    for (unsigned k0 = 0; k0 < k; k0 += EDGE, buf ^= 1) {
        sa[buf][ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.f;
        sb[buf][ty][tx] = bt_row < n && k0 + tx < k ? bt[bt_row * k + k0 + tx] : 0.f;
        __syncthreads();
        for (unsigned l = 0; l < EDGE; ++l)
            value = fmaf(sa[buf][ty][l], sb[buf][tx][l], value);
    }
    if (row < m && col < n)
        c[row * n + col] = value;
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
    const unsigned tx = threadIdx.x, ty = threadIdx.y, id = ty * THREADS + tx;
    const unsigned row0 = blockIdx.y * SIDE, col0 = blockIdx.x * SIDE;
    float value[RESULTS][RESULTS] = {}, next_a[EACH], next_b[EACH];

    // The next tiles' words come into registers while the present ones are in use.
    auto fetch = [&](unsigned k0) {
        for (unsigned e = 0; e < EACH; ++e) {
            const unsigned w = id + e * ALL;
            const unsigned row = row0 + w / STEP, la = k0 + w % STEP;
            const unsigned col = col0 + w % SIDE, lb = k0 + w / SIDE;
            next_a[e] = row < m && la < k ? a[row * k + la] : 0.f;
            next_b[e] = lb < k && col < n ? b[lb * n + col] : 0.f;
        }
    };
    fetch(0);
    for (unsigned k0 = 0; k0 < k; k0 += STEP) {
        for (unsigned e = 0; e < EACH; ++e) {
            const unsigned w = id + e * ALL;
            sa[w / STEP][w % STEP] = next_a[e];
            sb[w / SIDE][w % SIDE] = next_b[e];
        }
        __syncthreads();
        fetch(k0 + STEP);
        for (unsigned l = 0; l < STEP; ++l) {
            float fa[RESULTS], fb[RESULTS];
            for (unsigned r = 0; r < RESULTS; ++r) {
                fa[r] = sa[ty + r * THREADS][l];
                fb[r] = sb[l][tx + r * THREADS];
            }
            for (unsigned p = 0; p < RESULTS; ++p)
                for (unsigned q = 0; q < RESULTS; ++q)
                    value[p][q] = fmaf(fa[p], fb[q], value[p][q]);
        }
        __syncthreads();
    }
    for (unsigned p = 0; p < RESULTS; ++p) {
        const unsigned row = row0 + ty + p * THREADS;
        for (unsigned q = 0; row < m && q < RESULTS; ++q) {
            const unsigned col = col0 + tx + q * THREADS;
            if (col < n)
                c[row * n + col] = value[p][q];
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
