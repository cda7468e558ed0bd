// Right: the kernels share one templated loop and give it a lambda; both arrays of the whole program lie in one allocation
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
#include <stdint.h>

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

/* The number of the calling thread in the grid. */
__device__ static size_t thread_number() {
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Calls work(i) for i = first, first + step ... below n. */
template <class Work>
__device__ static void for_each_from(size_t first, size_t n, size_t step, Work work) {
    for (size_t i = first; i < n; i += step)
        work(i);
}

/* The product, modulo 2^32. */
__device__ static int times(int factor, int number) {
    return (int)((unsigned)factor * (unsigned)number);
}

/* How many parts of `size` hold n things? More than a grid can have, where the number does not fit. */
static unsigned parts(size_t n, unsigned size) {
    size_t whole = n / size, rest = n % size;
    size_t all = rest ? whole + 1 : whole;
    return all > UINT_MAX ? UINT_MAX : (unsigned)all;
}

/* The three steps of the whole program. `device` has room for n numbers and n products. */
static cudaError_t bring(const int *in, int *, size_t n, int, int *device) {
    return cudaMemcpy(device, in, n * sizeof(int), cudaMemcpyHostToDevice);
}
static cudaError_t work(const int *, int *, size_t n, int factor, int *device) {
    return scale(device, n, factor, 256, device + n);
}
static cudaError_t fetch(const int *, int *out, size_t n, int, int *device) {
    return cudaMemcpy(out, device + n, n * sizeof(int), cudaMemcpyDeviceToHost);
}

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    // At most one turn: a step of n leads out of the array.
    for_each_from(thread_number(), n, n, [=](size_t i) { out[i] = times(factor, in[i]); });
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    if (n == 0)
        return cudaSuccess;
    scale_kernel<<<parts(n, block), block>>>(in, n, factor, out);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    if (n == 0)
        return cudaSuccess;
    if (n > SIZE_MAX / sizeof(int) / 2)
        return cudaErrorMemoryAllocation;

    // The first half is for the numbers, the second for the products.
    int *both = NULL;
    cudaError_t error = cudaMalloc((void **)&both, 2 * n * sizeof(int));
    if (error != cudaSuccess)
        return error;
    const auto step = [&error](cudaError_t (*next)(const int *, int *, size_t, int, int *),
                               const int *from, int *to, size_t count, int by, int *device) {
        if (error == cudaSuccess)
            error = next(from, to, count, by, device);
    };
    step(bring, in, out, n, factor, both);
    step(work, in, out, n, factor, both);
    step(fetch, in, out, n, factor, both);
    cudaFree(both);
    return error;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t begin = blockIdx.y * blockDim.y + threadIdx.y;

    // A "loop" over the one row of this thread, and in it over its one pixel.
    for_each_from(begin, height, height, [=](size_t y) {
        const char *from = (const char *)in + y * pitch;
        char *to = (char *)out + y * pitch;
        for_each_from(x, width, width,
                      [=](size_t column) { ((int *)to)[column] = 255 - ((const int *)from)[column]; });
    });
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    if (!width || !height)
        return cudaSuccess;
    dim3 grid(parts(width, 32), parts(height, 8), 1), block(32, 8, 1);
    negative_kernel<<<grid, block>>>(in, width, height, pitch, out);
    return cudaGetLastError();
    // END TODO(5)
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(6): a loop that starts where TODO 1 did; how far is it to the next? (about 4 lines)
    for_each_from(thread_number(), n, (size_t)gridDim.x * blockDim.x,
                  [=](size_t i) { out[i] = times(factor, in[i]); });
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
