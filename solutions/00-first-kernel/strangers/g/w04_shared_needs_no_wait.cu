// Wrong: memory that host and device share has no copy that could be missing, so when the launch has succeeded, the products are there.
// Kind: wait
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

// this thread's number in the grid
__device__ size_t my_number() {
    return threadIdx.x + (size_t)blockDim.x * blockIdx.x;
}

// how many parts of a size cover the whole
static size_t parts_of(size_t whole, size_t part) {
    size_t parts = whole / part;
    return parts * part < whole ? parts + 1 : parts;
}

static unsigned as_grid(size_t parts) {
    const unsigned most = ~0u; // the device refuses so many
    return parts > most ? most : (unsigned)parts;
}

// END TODO(0)

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    const size_t me = my_number();
    if (me >= n)
        return;
    out[me] = in[me] * factor;
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    const unsigned grid = as_grid(parts_of(n, block));
    if (grid > 0)
        scale_kernel<<<grid, block>>>(in, n, factor, out);
    return grid > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    if (n == 0)
        return cudaSuccess;

    int *shared = NULL;
    cudaError_t status = cudaMallocManaged(&shared, 2 * n * sizeof(int));
    if (status != cudaSuccess)
        return status;

    int *numbers = shared, *products = shared + n;
    for (size_t k = 0; k < n; k++)
        numbers[k] = in[k];
    status = scale(numbers, n, factor, 256, products);
    if (status == cudaSuccess)
        for (size_t k = 0; k < n; k++)
            out[k] = products[k];

    cudaError_t freed = cudaFree(shared);
    return status != cudaSuccess ? status : freed;
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    const unsigned column = 32 * blockIdx.x + threadIdx.x, row = 8 * blockIdx.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    const size_t place = row * pitch + column * sizeof(int); // in bytes
    const int *grey = (const int *)((const char *)in + place);
    *(int *)((char *)out + place) = 255 - *grey;
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    dim3 grid(as_grid(parts_of(width, 32)), as_grid(parts_of(height, 8)));
    if (grid.x == 0 || grid.y == 0)
        return cudaSuccess;
    negative_kernel<<<grid, dim3(32, 8)>>>(in, width, height, pitch, out);
    return cudaGetLastError();
    // END TODO(5)
}

/* out[i] = factor * in[i], for every i that belongs to this thread. */
__global__ void scale_strided_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(6): a loop that starts where TODO 1 did; how far is it to the next? (about 4 lines)
    size_t i = my_number();
    if (i >= n)
        return;
    do {
        out[i] = in[i] * factor;
        i += (size_t)blockDim.x * gridDim.x;
    } while (i < n);
    // END TODO(6)
}

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    // TODO(6): launch it in the grid that is given (about 4 lines)
    if (n != 0) {
        scale_strided_kernel<<<dim3(blocks), dim3(block)>>>(in, n, factor, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(6)
}
