// Right: kernels are launched by cudaLaunchKernel; product_blocked has blocks in one row of 128 threads and dynamic shared memory.
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
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    const float *pa = a + (size_t)row * k;
    const float *pb = b + col;
    float s = 0.f;
    for (unsigned left = k; left > 0; left--) {
        s += *pa * *pb;
        pa++;
        pb += n;
    }
    c[(size_t)row * n + col] = s;
    // END TODO(1)
}

extern "C" cudaError_t product_naive(const float *a, const float *b, unsigned m, unsigned n,
                                     unsigned k, unsigned edge, float *c) {
    if (!is_edge(edge))
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks of edge × edge threads; c may have no elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    void *arguments[] = {&a, &b, &m, &n, &k, &c};
    const dim3 blocks((n - 1) / edge + 1, (m - 1) / edge + 1);
    const cudaError_t error = cudaLaunchKernel((const void *)naive_kernel, blocks, dim3(edge, edge),
                                               arguments, 0, nullptr);
    (void)cudaGetLastError(); // the same error, which nobody is to find later
    return error;
    // END TODO(1)
}

/* For blocks of EDGE × EDGE threads. */
template <unsigned EDGE>
__global__ void tiled_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                             float *c) {
    // TODO(2): load a tile of a and one of b, wait, add up, wait, go on; store (about 18 lines)
    __shared__ float tile_a[EDGE * EDGE];
    __shared__ float tile_b[EDGE * EDGE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty;
    const unsigned col = blockIdx.x * EDGE + tx;
    const float *pa = a + (size_t)row * k + tx;
    const float *pb = b + (size_t)ty * n + col;
    const bool in_row = row < m, in_col = col < n;
    float s = 0.f;
    for (unsigned t = 0; t < k; t += EDGE) {
        float wa = 0.f, wb = 0.f;
        if (in_row && t + tx < k)
            wa = *pa;
        if (in_col && t + ty < k)
            wb = *pb;
        tile_a[ty * EDGE + tx] = wa;
        tile_b[ty * EDGE + tx] = wb;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            s += tile_a[ty * EDGE + i] * tile_b[i * EDGE + tx];
        __syncthreads();
        pa += EDGE;
        pb += (size_t)EDGE * n;
    }
    if (in_row && in_col)
        c[(size_t)row * n + col] = s;
    // END TODO(2)
}

template <unsigned EDGE>
static cudaError_t launch_tiled(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                                float *c) {
    // TODO(2): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    void *arguments[] = {&a, &b, &m, &n, &k, &c};
    const dim3 blocks((n - 1) / EDGE + 1, (m - 1) / EDGE + 1);
    const cudaError_t error = cudaLaunchKernel((const void *)tiled_kernel<EDGE>, blocks, dim3(EDGE, EDGE),
                                               arguments, 0, nullptr);
    (void)cudaGetLastError(); // the same error, which nobody is to find later
    return error;
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
    __shared__ float tile_a[EDGE * EDGE];
    __shared__ float tile_b[EDGE * ROW];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * EDGE + ty;
    const unsigned col = blockIdx.x * EDGE + tx;
    const unsigned col_to_load = blockIdx.x * EDGE + ty;
    const float *pa = a + (size_t)row * k + tx;
    const float *pb = bt + (size_t)col_to_load * k + tx;
    float s = 0.f;
    for (unsigned t = 0; t < k; t += EDGE) {
        const bool in_k = t + tx < k;
        float wa = 0.f, wb = 0.f;
        if (in_k && row < m)
            wa = *pa;
        if (in_k && col_to_load < n)
            wb = *pb;
        tile_a[ty * EDGE + tx] = wa;
        tile_b[ty * ROW + tx] = wb;
        __syncthreads();
        for (unsigned i = 0; i < EDGE; i++)
            s += tile_a[ty * EDGE + i] * tile_b[tx * ROW + i];
        __syncthreads();
        pa += EDGE;
        pb += EDGE;
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = s;
    // END TODO(3)
}

template <unsigned EDGE, unsigned ROW>
static cudaError_t launch_transposed(const float *a, const float *bt, unsigned m, unsigned n,
                                     unsigned k, float *c) {
    // TODO(3): launch (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    void *arguments[] = {&a, &bt, &m, &n, &k, &c};
    const dim3 blocks((n - 1) / EDGE + 1, (m - 1) / EDGE + 1);
    const cudaError_t error = cudaLaunchKernel((const void *)(transposed_kernel<EDGE, ROW>), blocks, dim3(EDGE, EDGE),
                                               arguments, 0, nullptr);
    (void)cudaGetLastError(); // the same error, which nobody is to find later
    return error;
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
// THREADS threads in one row make ROWS × COLUMNS elements of c: 16 of them lie beside each other, and
// each makes 4 × 4. Tiles of a and b are STEP wide along k.
enum { THREADS = 128, ROWS = 32, COLUMNS = 64, STEP = 8 };
// END TODO(5)

__global__ void blocked_kernel(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
                               float *c) {
    // TODO(5): load tiles; in each step read few words and use each several times (about 30 lines)
    extern __shared__ float words[];
    float *tile_a = words;               // ROWS rows of STEP
    float *tile_b = words + ROWS * STEP; // STEP rows of COLUMNS
    const unsigned id = threadIdx.x;
    const unsigned tx = id % 16, ty = id / 16;
    const unsigned row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLUMNS;
    float s[4][4] = {};
    for (unsigned t = 0; t < k; t += STEP) {
        for (unsigned w = id; w < ROWS * STEP; w += THREADS) {
            const unsigned row = row0 + w / STEP, l = t + w % STEP;
            tile_a[w] = row < m && l < k ? a[(size_t)row * k + l] : 0.f;
        }
        for (unsigned w = id; w < STEP * COLUMNS; w += THREADS) {
            const unsigned l = t + w / COLUMNS, col = col0 + w % COLUMNS;
            tile_b[w] = l < k && col < n ? b[(size_t)l * n + col] : 0.f;
        }
        __syncthreads();
        for (unsigned l = 0; l < STEP; l++) {
            float u[4], v[4];
            for (unsigned p = 0; p < 4; p++) {
                u[p] = tile_a[(ty + 8 * p) * STEP + l];
                v[p] = tile_b[l * COLUMNS + tx + 16 * p];
            }
            for (unsigned p = 0; p < 4; p++)
                for (unsigned q = 0; q < 4; q++)
                    s[p][q] += u[p] * v[q];
        }
        __syncthreads();
    }
    for (unsigned p = 0; p < 4; p++)
        for (unsigned q = 0; q < 4; q++) {
            const unsigned row = row0 + ty + 8 * p, col = col0 + tx + 16 * q;
            if (row < m && col < n)
                c[(size_t)row * n + col] = s[p][q];
        }
    // END TODO(5)
}

extern "C" cudaError_t product_blocked(const float *a, const float *b, unsigned m, unsigned n,
                                       unsigned k, float *c) {
    // TODO(5): launch; a block makes SIDE × SIDE elements (about 5 lines)
    if (m == 0 || n == 0)
        return cudaSuccess;
    void *arguments[] = {&a, &b, &m, &n, &k, &c};
    const dim3 blocks((n - 1) / COLUMNS + 1, (m - 1) / ROWS + 1);
    const size_t shared_bytes = (ROWS * STEP + STEP * COLUMNS) * sizeof(float);
    const cudaError_t error = cudaLaunchKernel((const void *)blocked_kernel, blocks, dim3(THREADS),
                                               arguments, shared_bytes, nullptr);
    (void)cudaGetLastError();
    return error;
    // END TODO(5)
}
