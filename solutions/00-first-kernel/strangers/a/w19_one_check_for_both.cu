// Wrong: whether there is such a pixel is asked of y * width + x alone, so threads right of the picture write behind the ends of all rows but the last ones.
// Kind: bound
/*
 * Lab 00: the first kernel. Handout: handouts/00-first-kernel.md
 *
 * Write what the TODO regions ask for, and nothing outside them. Each can be checked before the
 * next one is written: answer the predictions (TODO 0), write a kernel (TODO 1) and its launch
 * (TODO 2), a whole program around it (TODO 3), a kernel for a picture (TODO 4) and its launch
 * (TODO 5), and a loop for grids that are given (TODO 6).
 */
#include "first_kernel.h"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own code.
 */
// TODO(0): answer the questions (4 numbers)

// 1,000 numbers in blocks of 256 threads: how many blocks does `scale` launch?
extern "C" const int predicted_blocks = -1;

// How many threads of that launch find no number to work on?
extern "C" const int predicted_idle_threads = -1;

// A picture of 100 × 60 pixels in blocks of 32 × 8 threads: how many blocks?
extern "C" const int predicted_picture_blocks = -1;

// `scale_strided` with 1,000 numbers in 2 blocks of 128 threads: how many has thread 0 of block 0?
extern "C" const int predicted_numbers_of_a_thread = -1;

// END TODO(0)

#define CHECK(call)                  \
    do {                             \
        cudaError_t check_ = (call); \
        if (check_ != cudaSuccess)   \
            return check_;           \
    } while (0)

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = factor * in[i];
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    if (n > 0) {
        size_t blocks = (n + (block - 1)) / block;
        scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
        CHECK(cudaGetLastError());
    }
    return cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    if (n == 0)
        return cudaSuccess;
    // one piece of memory for both: first the numbers, behind them the products
    int *both = NULL;
    cudaError_t err = cudaMalloc(&both, 2 * n * sizeof(int));
    if (err != cudaSuccess)
        return err;
    int *products = both + n;
    if ((err = cudaMemcpy(both, in, n * sizeof(int), cudaMemcpyHostToDevice)) == cudaSuccess &&
        (err = scale(both, n, factor, 256, products)) == cudaSuccess) {
        err = cudaMemcpy(out, products, n * sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(both);
    return err;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    unsigned x = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned y = threadIdx.y + blockIdx.y * blockDim.y;
    if ((size_t)y * width + x >= (size_t)width * height)
        return;
    size_t offset = y * pitch;
    const int *from = (const int *)((const char *)in + offset);
    int *to = (int *)((char *)out + offset);
    to[x] = 255 - from[x];
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    if (!width || !height) return cudaSuccess;
    dim3 threads(32, 8, 1);
    dim3 blocks((width - 1) / threads.x + 1, (height - 1) / threads.y + 1, 1);
    negative_kernel<<<blocks, threads>>>(in, width, height, pitch, out);
    cudaError_t err = cudaGetLastError();
    return err;
    // END TODO(5)
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(6): a loop that starts where TODO 1 did; how far is it to the next? (about 4 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    do {
        out[i] = factor * in[i];
        i += (size_t)gridDim.x * blockDim.x;
    } while (i < n);
    // END TODO(6)
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    // TODO(6): launch it in the grid that is given (about 4 lines)
    if (!n) return cudaSuccess;
    scale_strided_kernel<<<dim3(blocks), dim3(block)>>>(in, n, factor, out);
    cudaError_t err = cudaGetLastError();
    return err;
    // END TODO(6)
}
