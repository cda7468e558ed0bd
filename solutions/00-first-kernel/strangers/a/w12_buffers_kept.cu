// Wrong: the device memory is kept in static variables for the next call, so it is not free again when the function returns.
// Kind: state
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

static __device__ size_t my_index() {
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static size_t blocks_for(size_t n, size_t per_block) {
    return n / per_block + (n % per_block > 0 ? 1 : 0);
}

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    size_t me = my_index();
    if (me < n) {
        int v = in[me];
        out[me] = v * factor;
    }
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    const size_t grid = blocks_for(n, block);
    if (grid != 0)
        scale_kernel<<<(unsigned)grid, block>>>(in, n, factor, out);
    return grid != 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    if (n == 0)
        return cudaSuccess;
    // cudaMalloc is slow: only where the memory of the last call is too small
    static int *d_in = NULL;
    static int *d_out = NULL;
    static size_t room = 0;
    cudaError_t err = cudaSuccess;
    if (n > room) {
        cudaFree(d_in);
        cudaFree(d_out);
        d_in = d_out = NULL;
        room = 0;
        err = cudaMalloc(&d_in, n * sizeof(int));
        if (err == cudaSuccess)
            err = cudaMalloc(&d_out, n * sizeof(int));
        if (err == cudaSuccess)
            room = n;
    }
    if (err == cudaSuccess)
        err = cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
    if (err == cudaSuccess)
        err = scale(d_in, n, factor, 256, d_out);
    if (err == cudaSuccess)
        err = cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    return err;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t ints = pitch / sizeof(int); // the pitch is a multiple of 4
    if (col < width && row < height) {
        size_t at = row * ints + col;
        out[at] = 255 - in[at];
    }
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
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t first = 0; first < n; first += threads) {
        if (first + me < n)
            out[first + me] = factor * in[first + me];
    }
    // END TODO(6)
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    // TODO(6): launch it in the grid that is given (about 4 lines)
    if (n > 0) {
        scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(6)
}
