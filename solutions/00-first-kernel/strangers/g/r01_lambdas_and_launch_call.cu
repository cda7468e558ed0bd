// Right: every kernel is a lambda handed to one loop, launches go through cudaLaunchKernel, and the device memory is held by an object.
/*
 * Lab 00: the first kernel. Handout: handouts/00-first-kernel.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. Each can be
 * checked before the next one is written: the predictions (TODO 0), a kernel (TODO 1) and its
 * launch (TODO 2), a whole program around it (TODO 3), a kernel for a picture (TODO 4) and its
 * launch (TODO 5), and a loop for grids that are given (TODO 6).
 */
#include "first_kernel.h"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own code.
 */
// TODO(0): answer the questions (4 numbers)

// 1,000 numbers in blocks of 256 threads: how many blocks does `scale` launch?
extern "C" const int predicted_blocks = 4;

// How many threads of that launch find no number to work on?
extern "C" const int predicted_idle_threads = 24;

// A picture of 100 × 60 pixels in blocks of 32 × 8 threads: how many blocks?
extern "C" const int predicted_picture_blocks = 32;

// `scale_strided` with 1,000 numbers in 2 blocks of 128 threads: how many has thread 0 of block 0?
extern "C" const int predicted_numbers_of_a_thread = 4;

__device__ size_t place_in_grid() {
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

template <typename Work>
__device__ void for_each_place(size_t first, size_t end, size_t step, Work work) {
    for (size_t i = first; i < end; i += step)
        work(i);
}

// the error of this launch, which is not left behind
static cudaError_t launched(const void *kernel, dim3 grid, dim3 block, void **arguments) {
    cudaError_t error = cudaLaunchKernel(kernel, grid, block, arguments, 0, 0);
    (void)cudaGetLastError();
    return error;
}

// END TODO(0)

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    const size_t me = place_in_grid();
    for_each_place(me, me < n ? me + 1 : me, 1, [=](size_t i) { out[i] = in[i] * factor; });
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    size_t blocks = n / block + !!(n % block);
    void *arguments[] = {&in, &n, &factor, &out};
    if (blocks == 0)
        return cudaSuccess;
    return launched((const void *)scale_kernel, dim3((unsigned)(blocks >> 32 ? ~0u : blocks)),
                    dim3(block), arguments);
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    if (n == 0)
        return cudaSuccess;

    // one piece of memory: the numbers, and behind them the products
    struct piece {
        int *at = NULL;
        cudaError_t error;
        explicit piece(size_t ints) { error = cudaMalloc(&at, ints * sizeof(int)); }
        ~piece() { cudaFree(at); }
    } piece(2 * n);

    if (piece.error)
        return piece.error;
    if (cudaError_t error = cudaMemcpy(piece.at, in, n * sizeof *in, cudaMemcpyHostToDevice))
        return error;
    if (cudaError_t error = scale(piece.at, n, factor, 256, piece.at + n))
        return error;
    return cudaMemcpy(out, piece.at + n, n * sizeof *out, cudaMemcpyDeviceToHost);
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    const size_t x = blockIdx.x * 32u + threadIdx.x, y = blockIdx.y * 8u + threadIdx.y;
    const bool there = x < width && y < height;
    // one pixel or none; a grey value has 8 bits, and 255 less it has the others
    for_each_place(y * (pitch / 4) + x, y * (pitch / 4) + x + there, 1,
                   [=](size_t i) { out[i] = in[i] ^ 255; });
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    void *arguments[] = {&in, &width, &height, &pitch, &out};
    const unsigned across = width / 32 + !!(width % 32), down = height / 8 + !!(height % 8);
    if ((size_t)across * down == 0)
        return cudaSuccess;
    return launched((const void *)negative_kernel, dim3(across, down), dim3(32, 8), arguments);
    // END TODO(5)
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(6): a loop that starts where TODO 1 did; how far is it to the next? (about 4 lines)
    for_each_place(place_in_grid(), n, (size_t)gridDim.x * blockDim.x,
                   [=](size_t i) { out[i] = in[i] * factor; });
    // END TODO(6)
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    // TODO(6): launch it in the grid that is given (about 4 lines)
    void *arguments[] = {&in, &n, &factor, &out};
    return n == 0 ? cudaSuccess
                  : launched((const void *)scale_strided_kernel, dim3(blocks), dim3(block),
                             arguments);
    // END TODO(6)
}
