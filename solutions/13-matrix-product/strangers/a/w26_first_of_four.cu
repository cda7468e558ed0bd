// Wrong: only the first of a thread's 4 x 4 elements is compared with m and n; others are stored past the edges.
// Kind: bound
/*
 * Lab 13: block shapes for a matrix product. Handout: handouts/13-matrix-product.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the product without shared memory (TODO 1), by tiles
 * (TODO 2), by tiles of a transposed matrix (TODO 3), the same without bank conflicts (TODO 4), and
 * several results a thread (TODO 5). Each can be tested when it is done.
 */
#include "matrix_product.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

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

/* How many pieces of `size` cover `length`. */
static unsigned blocks_for(unsigned length, unsigned size) {
    return length / size + (length % size > 0);
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    auto group = cg::this_thread_block();
    unsigned j = group.group_index().x * group.group_dim().x + group.thread_index().x;
    unsigned i = group.group_index().y * group.group_dim().y + group.thread_index().y;

    if (i < m && j < n) {
        const float *row = a + i * k;
        float s = 0.0f;
        for (unsigned l = 0; l < k; l++)
            s += row[l] * b[l * n + j];
        c[i * n + j] = s;
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
    naive_kernel<<<dim3(blocks_for(n, edge), blocks_for(m, edge)), dim3(edge, edge)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    auto group = cg::this_thread_block();
    __shared__ float ta[EDGE][EDGE];
    __shared__ float tb[EDGE][EDGE];
    const unsigned x = group.thread_index().x, y = group.thread_index().y;
    const unsigned j = group.group_index().x * EDGE + x;
    const unsigned i = group.group_index().y * EDGE + y;
    float s = 0.0f;

    for (unsigned l0 = 0; l0 < k; l0 += EDGE) {
        float of_a = 0.0f, of_b = 0.0f;
        if (i < m && l0 + x < k)
            of_a = a[i * k + l0 + x];
        if (j < n && l0 + y < k)
            of_b = b[(l0 + y) * n + j];
        ta[y][x] = of_a;
        tb[y][x] = of_b;
        group.sync();
        for (unsigned l = 0; l < EDGE; l++)
            s += ta[y][l] * tb[l][x];
        group.sync();
    }
    if (i < m && j < n)
        c[i * n + j] = s;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 grid(blocks_for(n, EDGE), blocks_for(m, EDGE));
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
    auto group = cg::this_thread_block();
    __shared__ float ta[EDGE][EDGE];
    __shared__ float tb[EDGE][ROW];
    const unsigned x = group.thread_index().x, y = group.thread_index().y;
    const unsigned i = group.group_index().y * EDGE + y; // row of a and of c
    const unsigned j = group.group_index().x * EDGE + x; // column of c
    const unsigned r = group.group_index().x * EDGE + y; // row of bt that is loaded here
    float s = 0.0f;

    for (unsigned l0 = 0; l0 < k; l0 += EDGE) {
        float of_a = 0.0f, of_bt = 0.0f;
        if (i < m && l0 + x < k)
            of_a = a[i * k + l0 + x];
        if (r < n && l0 + x < k)
            of_bt = bt[r * k + l0 + x];
        ta[y][x] = of_a;
        tb[y][x] = of_bt;
        group.sync();
        for (unsigned l = 0; l < EDGE; l++)
            s += ta[y][l] * tb[x][l];
        group.sync();
    }
    if (i < m && j < n)
        c[i * n + j] = s;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 grid(blocks_for(n, EDGE), blocks_for(m, EDGE));
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
// A block of THREADS × THREADS threads makes SIDE × SIDE elements of c, each thread 4 × 4 neighbours.
// Tiles of a and b are STEP wide along k; that of a lies transposed, so that four words are one load.
enum { THREADS = 16, RESULTS = 4, SIDE = THREADS * RESULTS, STEP = 16 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    auto group = cg::this_thread_block();
    __shared__ __align__(16) float ta[STEP][SIDE + 4];
    __shared__ __align__(16) float tb[STEP][SIDE];
    const unsigned me = group.thread_rank();
    const unsigned x = group.thread_index().x, y = group.thread_index().y;
    const unsigned top = group.group_index().y * SIDE, left = group.group_index().x * SIDE;
    float sums[4][4] = {};

    for (unsigned l0 = 0; l0 < k; l0 += STEP) {
        for (unsigned w = me; w < SIDE * STEP; w += THREADS * THREADS) {
            const unsigned i = top + w / STEP, l = l0 + w % STEP;
            ta[w % STEP][w / STEP] = i < m && l < k ? a[i * k + l] : 0.0f;
        }
        // Four neighbours of a row of b for each thread.
        {
            const unsigned row = me / (SIDE / 4), at = me % (SIDE / 4) * 4;
            const unsigned l = l0 + row, j = left + at;
            float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (n % 4 == 0 && l < k && j + 3 < n) {
                four = *reinterpret_cast<const float4 *>(b + l * n + j);
            } else if (l < k) {
                four.x = j < n ? b[l * n + j] : 0.0f;
                four.y = j + 1 < n ? b[l * n + j + 1] : 0.0f;
                four.z = j + 2 < n ? b[l * n + j + 2] : 0.0f;
                four.w = j + 3 < n ? b[l * n + j + 3] : 0.0f;
            }
            *reinterpret_cast<float4 *>(&tb[row][at]) = four;
        }
        group.sync();
        for (unsigned l = 0; l < STEP; l++) {
            const float4 p = *reinterpret_cast<const float4 *>(&ta[l][4 * y]);
            const float4 q = *reinterpret_cast<const float4 *>(&tb[l][4 * x]);
            const float of_a[4] = {p.x, p.y, p.z, p.w}, of_b[4] = {q.x, q.y, q.z, q.w};
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sums[i][j] += of_a[i] * of_b[j];
        }
        group.sync();
    }
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            if (top + 4 * y < m && left + 4 * x < n)
                c[(top + 4 * y + i) * n + left + 4 * x + j] = sums[i][j];
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    const dim3 grid(blocks_for(n, SIDE), blocks_for(m, SIDE));
    blocked_kernel<<<grid, dim3(THREADS, THREADS)>>>(a, b, m, n, k, c);
    return cudaGetLastError();
    // END TODO(5)
}
