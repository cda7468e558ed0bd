// Right: threads take numbers and rows from the end backwards, and the host array is done in pieces, the last one first.
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

// END TODO(0)

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    const size_t behind = n - (size_t)blockIdx.x * blockDim.x; // numbers of this block and the next
    if (threadIdx.x < behind)
        out[behind - 1 - threadIdx.x] = factor * in[behind - 1 - threadIdx.x];
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    size_t blocks = 0;
    if (n > 0)
        blocks = (n - 1) / block + 1;
    if (blocks == 0)
        return cudaSuccess;
    if (blocks > 0xffffffff)
        blocks = 0xffffffff; // which is refused as well
    scale_kernel<<<dim3((unsigned)blocks), block>>>(in, n, factor, out);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    const size_t most = 100000;
    int *memory[2] = {NULL, NULL};
    cudaError_t error = cudaSuccess;

    for (int k = 0; k < 2 && n > 0 && error == cudaSuccess; k++)
        error = cudaMalloc(&memory[k], (n < most ? n : most) * sizeof(int));
    while (n > 0 && error == cudaSuccess) {
        size_t count = n % most ? n % most : most; // a full piece, but for the last of the array
        n -= count;
        if ((error = cudaMemcpy(memory[0], in + n, 4 * count, cudaMemcpyHostToDevice)) ||
            (error = scale(memory[0], count, factor, 256, memory[1])) ||
            (error = cudaMemcpy(out + n, memory[1], 4 * count, cudaMemcpyDeviceToHost)))
            break;
    }
    for (int k = 0; k < 2; k++) {
        cudaError_t freed = cudaFree(memory[k]);
        error = error ? error : freed;
    }
    return error;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned above = blockIdx.y * blockDim.y + threadIdx.y; // rows behind this one

    if (x >= width || above >= height)
        return;
    const size_t y = height - 1 - above;
    in += y * (pitch / sizeof *in); // the pitch is a multiple of 4
    out += y * (pitch / sizeof *out);
    out[x] = 255 - in[x];
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    if (!width || !height)
        return cudaSuccess;
    dim3 threads(32, 8), grid;
    grid.x = (width - 1) / threads.x + 1;
    grid.y = (height - 1) / threads.y + 1;
    negative_kernel<<<grid, threads>>>(in, width, height, pitch, out);
    return cudaGetLastError();
    // END TODO(5)
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(6): a loop that starts where TODO 1 did; how far is it to the next? (about 4 lines)
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t left = (size_t)blockIdx.x * blockDim.x + threadIdx.x; // numbers before this thread's last

    if (left >= n)
        return;
    left += (n - 1 - left) / threads * threads;
    for (;; left -= threads) {
        out[left] = factor * in[left];
        if (left < threads)
            break;
    }
    // END TODO(6)
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    // TODO(6): launch it in the grid that is given (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
    // END TODO(6)
}
