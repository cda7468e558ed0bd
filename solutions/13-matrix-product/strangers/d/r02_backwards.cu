// Right: the sums go from the end of k to its beginning, and the naive one in four sums that meet at last.
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
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < (int)m && col < (int)n) {
        float s[4] = {0, 0, 0, 0};
        int i = k;
        while (i >= 4) {
            i -= 4;
            for (int q = 0; q < 4; q++) {
                s[q] += a[row * (int)k + i + q] * b[(i + q) * (int)n + col];
            }
        }
        while (i > 0) {
            i--;
            s[0] += a[row * (int)k + i] * b[i * (int)n + col];
        }
        c[row * (int)n + col] = (s[0] + s[1]) + (s[2] + s[3]);
    }
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    dim3 threads(edge, edge);
    dim3 blocks;
    blocks.x = (n - 1) / edge + 1;
    blocks.y = (m - 1) / edge + 1;
    naive_kernel<<<blocks, threads>>>(a, b, m, n, k, c);
    cudaError_t err = cudaGetLastError();
    return err;
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float sa[EDGE * EDGE];
    __shared__ float sb[EDGE * EDGE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * EDGE + tx;
    int row = blockIdx.y * EDGE + ty;
    bool inside = row < (int)m && col < (int)n;
    float s = 0;

    int begin = (k + EDGE - 1) / EDGE * EDGE; // the last tiles first
    while (begin > 0) {
        begin -= EDGE;
        // zeros first, so that words outside of the matrices change nothing
        sa[ty * EDGE + tx] = 0;
        sb[ty * EDGE + tx] = 0;
        if (row < (int)m && begin + tx < (int)k) {
            sa[ty * EDGE + tx] = a[row * (int)k + begin + tx];
        }
        if (col < (int)n && begin + ty < (int)k) {
            sb[ty * EDGE + tx] = b[(begin + ty) * (int)n + col];
        }
        __syncthreads();

        for (int i = EDGE - 1; i >= 0; i--) {
            s += sa[ty * EDGE + i] * sb[i * EDGE + tx];
        }
        __syncthreads();
    }

    if (inside) {
        c[row * (int)n + col] = s;
    }
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    dim3 threads(EDGE, EDGE);
    dim3 blocks;
    blocks.x = (n - 1) / EDGE + 1;
    blocks.y = (m - 1) / EDGE + 1;
    tiled_kernel<EDGE><<<blocks, threads>>>(a, b, m, n, k, c);
    cudaError_t err = cudaGetLastError();
    return err;
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
    __shared__ float sa[EDGE * EDGE];
    __shared__ float sb[EDGE * ROW];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * EDGE + tx;
    int row = blockIdx.y * EDGE + ty;
    int brow = blockIdx.x * EDGE + ty; // row of bt = column of b
    bool inside = row < (int)m && col < (int)n;
    float s = 0;

    int begin = (k + EDGE - 1) / EDGE * EDGE;
    while (begin > 0) {
        begin -= EDGE;
        sa[ty * EDGE + tx] = 0;
        sb[ty * ROW + tx] = 0;
        if (row < (int)m && begin + tx < (int)k) {
            sa[ty * EDGE + tx] = a[row * (int)k + begin + tx];
        }
        if (brow < (int)n && begin + tx < (int)k) {
            sb[ty * ROW + tx] = bt[brow * (int)k + begin + tx];
        }
        __syncthreads();

        for (int i = 0; i < (int)EDGE; i++) {
            s += sa[ty * EDGE + i] * sb[tx * ROW + i];
        }
        __syncthreads();
    }

    if (inside) {
        c[row * (int)n + col] = s;
    }
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    dim3 threads(EDGE, EDGE);
    dim3 blocks;
    blocks.x = (n - 1) / EDGE + 1;
    blocks.y = (m - 1) / EDGE + 1;
    transposed_kernel<EDGE, ROW><<<blocks, threads>>>(a, bt, m, n, k, c);
    cudaError_t err = cudaGetLastError();
    return err;
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
// A block of 256 threads in a row makes SIDE × SIDE elements of c, thread t the ones of the rows
// t / 16 + 16 r and the columns t % 16 + 16 s. Tiles are STEP wide along k.
enum { COUNT = 256, SIDE = 64, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    __shared__ float sa[SIDE * STEP];
    __shared__ float sb[STEP * SIDE];
    int t = threadIdx.x;
    int tx = t % 16;
    int ty = t / 16;
    int row0 = blockIdx.y * SIDE;
    int col0 = blockIdx.x * SIDE;
    float s[4][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};

    for (int begin = ((int)k - 1) / STEP * STEP; k != 0 && begin >= 0; begin -= STEP) {
        // 512 words for each tile, two for each thread
        for (int e = t; e < SIDE * STEP; e += COUNT) {
            int row = row0 + e / STEP;
            int i = begin + e % STEP;
            float word = 0;
            if (row < (int)m && i < (int)k) {
                word = a[row * (int)k + i];
            }
            sa[e] = word;
        }
        for (int e = t; e < STEP * SIDE; e += COUNT) {
            int i = begin + e / SIDE;
            int col = col0 + e % SIDE;
            float word = 0;
            if (i < (int)k && col < (int)n) {
                word = b[i * (int)n + col];
            }
            sb[e] = word;
        }
        __syncthreads();

        for (int i = 0; i < STEP; i++) {
            float a0 = sa[ty * STEP + i];
            float a1 = sa[(ty + 16) * STEP + i];
            float a2 = sa[(ty + 32) * STEP + i];
            float a3 = sa[(ty + 48) * STEP + i];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float word = sb[i * SIDE + tx + 16 * j];
                s[0][j] += a0 * word;
                s[1][j] += a1 * word;
                s[2][j] += a2 * word;
                s[3][j] += a3 * word;
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 4; r++) {
        int row = row0 + ty + 16 * r;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int col = col0 + tx + 16 * j;
            if (row < (int)m && col < (int)n) {
                c[row * (int)n + col] = s[r][j];
            }
        }
    }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0) return cudaSuccess;
    if (n == 0) return cudaSuccess;
    dim3 blocks;
    blocks.x = (n - 1) / SIDE + 1;
    blocks.y = (m - 1) / SIDE + 1;
    blocked_kernel<<<blocks, COUNT>>>(a, b, m, n, k, c);
    cudaError_t err = cudaGetLastError();
    return err;
    // END TODO(5)
}
