// Right: the whole program goes through the arrays in chunks with two small buffers; scale is scale_strided with the exact grid
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

/* How many ints are on the device at a time. */
static const size_t MOST_AT_ONCE = (size_t)1 << 22;

/* One chunk: there, through the kernel, and back. The buffers have room for n ints. */
static cudaError_t scale_chunk(const int *in, size_t n, int factor, int *numbers, int *products,
                               int *out) {
    cudaError_t error = cudaMemcpy(numbers, in, n * sizeof(int), cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = scale(numbers, n, factor, 256, products);
    if (error == cudaSuccess)
        error = cudaMemcpy(out, products, n * sizeof(int), cudaMemcpyDeviceToHost);
    return error;
}

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    const unsigned t = threadIdx.x, b = blockIdx.x;
    const size_t rest = n - min(n, (size_t)b * blockDim.x); // numbers from this block's first on
    if (t < rest) {
        const int *source = in + (size_t)b * blockDim.x + t;
        out[source - in] = (int)((unsigned)*source * (unsigned)factor);
    }
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    // Each thread of the exact grid makes one turn of the strided loop.
    size_t needed = n / block;
    if (needed * block < n)
        needed++;
    return scale_strided(in, n, factor, block, needed < UINT_MAX ? (unsigned)needed : UINT_MAX, out);
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    const size_t chunk = n < MOST_AT_ONCE ? n : MOST_AT_ONCE;
    int *buffers[2] = {NULL, NULL};
    cudaError_t error = cudaSuccess;

    for (int b = 0; b < 2 && n > 0 && error == cudaSuccess; b++)
        error = cudaMalloc(&buffers[b], chunk * sizeof(int));

    for (size_t done = 0; done < n && error == cudaSuccess;) {
        size_t now = n - done < chunk ? n - done : chunk;
        error = scale_chunk(in + done, now, factor, buffers[0], buffers[1], out + done);
        done += now;
    }

    for (int b = 2; b-- > 0;)
        if (buffers[b])
            cudaFree(buffers[b]);
    return error;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    const uint2 at = make_uint2(blockIdx.x * 32 + threadIdx.x, blockIdx.y * 8 + threadIdx.y);

    if (at.y >= height)
        return;
    in = (const int *)((uintptr_t)in + at.y * pitch) + at.x;
    out = (int *)((uintptr_t)out + at.y * pitch) + at.x;
    if (at.x < width)
        *out = 255 - *in;
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
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    size_t turns = first < n ? (n - first - 1) / step + 1 : 0;

    for (size_t i = first; turns-- > 0; i += step)
        out[i] = (int)((unsigned)in[i] * (unsigned)factor);
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
