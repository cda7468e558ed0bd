// Right: from the last tile to the first, the result is stored by a destructor, and both tiles of the blocked product are read four words at a time.
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

/* A matrix that is 0 outside of its rows and columns. */
struct endless {
    const float *words;
    unsigned rows, columns;
    __device__ float operator()(unsigned i, unsigned j) const {
        return i < rows && j < columns ? words[(size_t)i * columns + j] : 0.f;
    }
};

/* What a thread keeps of c: it is stored when the thread is done with it. */
struct result {
    float *to;
    float sum;
    __device__ result(float *c, unsigned m, unsigned n, unsigned i, unsigned j)
        : to(i < m && j < n ? c + ((size_t)i * n + j) : NULL), sum(0) {}
    __device__ ~result() {
        if (to)
            *to = sum;
    }
    __device__ void operator()(float p, float q) {
        sum = __fmaf_rn(p, q, sum);
    }
};

/* Hands the kernel's parameters over by their addresses. */
static cudaError_t go(const void *kernel, unsigned side, unsigned edge, const float *a,
                      const float *b, unsigned m, unsigned n, unsigned k, float *c) {
    void *parameters[] = {&a, &b, &m, &n, &k, &c};
    dim3 grid(n / side + (n % side > 0), m / side + (m % side > 0)), block(edge, edge);
    if (grid.x * (size_t)grid.y == 0)
        return cudaSuccess;
    cudaError_t of_call = cudaLaunchKernel(kernel, grid, block, parameters, 0, NULL);
    cudaError_t of_launch = cudaGetLastError(); // and none stays behind
    return of_call ? of_call : of_launch;
}
// END TODO(0)

static bool is_edge(unsigned edge) {
    return edge == 8 || edge == 16 || edge == 32;
}

__global__ void naive_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(1): which element of c is this thread's, if any? Add up, store (about 8 lines)
    const unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    result mine(c, m, n, i, j);
    if (mine.to == NULL)
        return;
    for (unsigned l = k; l-- > 0;)
        mine(a[(size_t)i * k + l], b[(size_t)l * n + j]);
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    return go((const void *)naive_kernel, edge, edge, a, b, m, n, k, c);
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    // From the last pair of tiles to the first
    __shared__ float pair[2][EDGE][EDGE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE + y, j = blockIdx.x * EDGE + x;
    const endless left = {a, m, k}, right = {b, k, n};
    result mine(c, m, n, i, j);
    for (unsigned tiles = (k + EDGE - 1) / EDGE; tiles > 0; tiles--) {
        const unsigned l = (tiles - 1) * EDGE;
        float of_left = left(i, l + x), of_right = right(l + y, j);
        __syncthreads(); // the pair before is used up
        pair[0][y][x] = of_left;
        pair[1][y][x] = of_right;
        __syncthreads();
#pragma unroll 8
        for (unsigned s = 0; s < EDGE; s++)
            mine(pair[0][y][s], pair[1][s][x]);
    }
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    return go((const void *)tiled_kernel<EDGE>, EDGE, EDGE, a, b, m, n, k, c);
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
enum { PAD = 33 }; // words: one, and a whole round of the banks
// END TODO(4)

/* For blocks of EDGE × EDGE threads. The rows of the tile of bt lie ROW words apart in shared
 * memory: EDGE in product_transposed, EDGE + PAD in product_padded. */
template <unsigned EDGE, unsigned ROW>
__global__ void transposed_kernel(const float *a, const float *bt, unsigned m, unsigned n,
                                  unsigned k, float *c) {
    // TODO(3): as TODO 2; which rows of bt belong to this block? (about 20 lines)
    __shared__ float rows_of_a[EDGE * EDGE], rows_of_bt[EDGE * ROW];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i = blockIdx.y * EDGE, j = blockIdx.x * EDGE;
    const endless left = {a, m, k}, right = {bt, n, k};
    result mine(c, m, n, i + y, j + x);
    for (unsigned tiles = (k + EDGE - 1) / EDGE; tiles > 0; tiles--) {
        const unsigned l = (tiles - 1) * EDGE + x;
        float of_left = left(i + y, l), of_right = right(j + y, l);
        __syncthreads();
        rows_of_a[y * EDGE + x] = of_left;
        rows_of_bt[y * ROW + x] = of_right;
        __syncthreads();
#pragma unroll 8
        for (unsigned s = 0; s < EDGE; s++)
            mine(rows_of_a[y * EDGE + s], rows_of_bt[x * ROW + s]);
    }
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    return go((const void *)transposed_kernel<EDGE, ROW>, EDGE, EDGE, a, bt, m, n, k, c);
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
// A block of 16 × 16 threads makes 64 × 64 elements of c, each thread four neighbours in each of four
// neighbouring rows. The tile of a lies turned, so that both are read four words at a time.
enum { THREADS = 16, SIDE = 64, STEP = 16 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float4 tile_a[STEP][SIDE / 4 + 1], tile_b[STEP][SIDE / 4];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned top = blockIdx.y * SIDE, side = blockIdx.x * SIDE;
    const endless left = {a, m, k}, right = {b, k, n};
    float sums[4][4] = {{0}};

    for (unsigned first = (k + STEP - 1) / STEP * STEP; first > 0;) {
        first -= STEP;
        for (unsigned r = 0; r < SIDE; r += THREADS) {
            ((float *)tile_a[x])[y + r] = left(top + y + r, first + x);
            ((float *)tile_b[y])[x + r] = right(first + y, side + x + r);
        }
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < STEP; l++) {
            const float4 p = tile_a[l][y], q = tile_b[l][x];
            const float of_a[4] = {p.x, p.y, p.z, p.w}, of_b[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (unsigned r = 0; r < 4; r++)
#pragma unroll
                for (unsigned s = 0; s < 4; s++)
                    sums[r][s] = __fmaf_rn(of_a[r], of_b[s], sums[r][s]);
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned r = 0; r < 4; r++)
#pragma unroll
        for (unsigned s = 0; s < 4; s++)
            if (top + 4 * y + r < m && side + 4 * x + s < n)
                c[(size_t)(top + 4 * y + r) * n + (side + 4 * x + s)] = sums[r][s];
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    return go((const void *)blocked_kernel, SIDE, THREADS, a, b, m, n, k, c);
    // END TODO(5)
}
