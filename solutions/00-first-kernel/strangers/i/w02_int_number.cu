// Wrong: the number of the thread is an int, which ends at 2^31 - 1; numbers behind it stay undone
// Kind: type
/*
 * Lab 00: the first kernel. Handout: handouts/00-first-kernel.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. Each can be
 * checked before the next one is written: the predictions (TODO 0), a kernel (TODO 1) and its
 * launch (TODO 2), a whole program around it (TODO 3), a kernel for a picture (TODO 4) and its
 * launch (TODO 5), and a loop for grids that are given (TODO 6).
 */
#include "first_kernel.h"
#include <limits.h>

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
// END TODO(0)

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = factor * in[i];
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    if (n > 0) {
        size_t blocks = (n - 1) / block + 1;
        if (blocks > INT_MAX)
            return cudaErrorInvalidConfiguration; // a grid cannot have so many
        dim3 grid((unsigned)blocks), threads(block);
        scale_kernel<<<grid, threads>>>(in, n, factor, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    if (n == 0)
        return cudaSuccess;

    int *a, *b;
    size_t size = sizeof(int) * n;
    cudaError_t error = cudaMalloc(&a, size);
    if (error != cudaSuccess)
        return error;
    error = cudaMalloc(&b, size);
    if (error != cudaSuccess) {
        cudaFree(a);
        return error;
    }

    error = cudaMemcpy(a, in, size, cudaMemcpyHostToDevice);
    if (!error)
        error = scale(a, n, factor, 256, b);
    if (!error)
        error = cudaMemcpy(out, b, size, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    return error;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    unsigned column = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned row = threadIdx.y + blockDim.y * blockIdx.y;
    if (column >= width || row >= height)
        return;

    size_t ints_of_a_row = pitch / sizeof(int); // the gap included; pitch is a multiple of 4
    size_t at = row * ints_of_a_row + column;
    out[at] = 255 - in[at];
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    const unsigned across = width / 32 + (width % 32 ? 1 : 0);
    const unsigned down = height / 8 + (height % 8 ? 1 : 0);
    if (across == 0 || down == 0)
        return cudaSuccess;
    negative_kernel<<<dim3(across, down), dim3(32, 8)>>>(in, width, height, pitch, out);
    return cudaGetLastError();
    // END TODO(5)
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(6): a loop that starts where TODO 1 did; how far is it to the next? (about 4 lines)
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = factor * in[i];
    // END TODO(6)
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    // TODO(6): launch it in the grid that is given (about 4 lines)
    cudaError_t error = cudaSuccess;
    if (n != 0) {
        scale_strided_kernel<<<dim3(blocks), dim3(block)>>>(in, n, factor, out);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(6)
}
