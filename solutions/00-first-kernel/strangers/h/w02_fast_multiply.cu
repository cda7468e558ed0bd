// Wrong: __mul24 is taken for a faster way to get the low 32 bits of any product.
// Kind: arithmetic
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

/* The number of this thread in the grid, and how many threads the grid has. */
static __device__ size_t my_number() {
    return threadIdx.x + (size_t)blockIdx.x * blockDim.x;
}

static __device__ size_t threads_in_all() {
    return (size_t)gridDim.x * blockDim.x;
}

/* How many groups of `size` hold `count` things. */
static size_t groups(size_t count, size_t size) {
    return count / size + (count % size != 0);
}

// END TODO(0)

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    size_t mine = my_number();

    if (mine >= n)
        return;

    int product = __mul24(factor, in[mine]);

    out[mine] = product;
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    if (n == 0)
        return cudaSuccess;
    if (groups(n, block) > 0x7fffffffu)
        return cudaErrorInvalidConfiguration;

    dim3 grid((unsigned)groups(n, block)), threads(block);

    scale_kernel<<<grid, threads>>>(in, n, factor, out);
    return cudaGetLastError();
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    cudaError_t error;
    int *both = NULL; // the numbers, and behind them the products

    if (n == 0)
        return cudaSuccess;
    do {
        if ((error = cudaMalloc(&both, 2 * n * sizeof *both)) != cudaSuccess)
            break;
        error = cudaMemcpy(both, in, n * sizeof *both, cudaMemcpyHostToDevice);
        if (error != cudaSuccess)
            break;
        if ((error = scale(both, n, factor, 256, both + n)) != cudaSuccess)
            break;
        error = cudaMemcpy(out, both + n, n * sizeof *both, cudaMemcpyDeviceToHost);
    } while (false);
    if (both != NULL)
        cudaFree(both);
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    size_t column = my_number();
    size_t row = threadIdx.y + blockIdx.y * blockDim.y;

    if (column >= width || row >= height)
        return;

    size_t pixel = row * (pitch / sizeof(*in)) + column;

    out[pixel] = 255 - in[pixel];
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    if (width > 0 && height > 0) {
        dim3 grid((unsigned)groups(width, 32), (unsigned)groups(height, 8));

        negative_kernel<<<grid, dim3(32, 8)>>>(in, width, height, pitch, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(5)
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(6): a loop that starts where TODO 1 did; how far is it to the next? (about 4 lines)
    size_t mine = my_number();

    while (mine < n) {
        out[mine] = in[mine] * factor;
        mine += threads_in_all();
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
