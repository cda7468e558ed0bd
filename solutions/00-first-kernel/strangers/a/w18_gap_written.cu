// Wrong: x is compared with the pitch in ints and not with the width, so what lies between the rows is read and written.
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

static unsigned div_up(unsigned a, unsigned b) {
    return a / b + (a % b != 0);
}

/* Device memory that is given back when the variable's scope ends. */
struct DeviceInts {
    int *p;
    cudaError_t err;
    explicit DeviceInts(size_t n) : p(NULL), err(cudaMalloc(&p, n * sizeof(int))) {}
    ~DeviceInts() { cudaFree(p); }
};

/* out[i] = factor * in[i], for the one i that belongs to this thread. */
__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    // TODO(1): which i is this thread's, and is there such a number? (about 4 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * in[i];
    // END TODO(1)
}

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    // TODO(2): launch the kernel in as many blocks as n needs (about 5 lines)
    size_t blocks = n / block + (n % block != 0);
    if (blocks > 0) {
        scale_kernel<<<(unsigned)blocks, block>>>(in, n, factor, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(2)
}

extern "C" cudaError_t scale_on_host(const int *in, size_t n, int factor, int *out) {
    // TODO(3): device memory, copy there, scale, copy back, free (about 20 lines)
    if (n == 0) return cudaSuccess;
    DeviceInts a(n);
    CHECK(a.err);
    DeviceInts b(n);
    CHECK(b.err);
    CHECK(cudaMemcpy(a.p, in, n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(scale(a.p, n, factor, 256, b.p));
    return cudaMemcpy(out, b.p, n * sizeof(int), cudaMemcpyDeviceToHost);
    // END TODO(3)
}

/* The negative of the one pixel that belongs to this thread. */
__global__ void negative_kernel(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(4): which pixel is it, where does its row begin, is it in the picture? (about 8 lines)
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t ints = pitch / sizeof(int); // the pitch is a multiple of 4
    if (col < ints && row < height) {
        size_t at = row * ints + col;
        out[at] = 255 - in[at];
    }
    // END TODO(4)
}

extern "C" cudaError_t negative(const int *in, unsigned width, unsigned height, size_t pitch,
                                int *out) {
    // TODO(5): launch the kernel, in blocks of 32 × 8 threads (about 6 lines)
    const unsigned across = div_up(width, 32), down = div_up(height, 8);
    if (across > 0 && down > 0) {
        negative_kernel<<<dim3(across, down), dim3(32, 8)>>>(in, width, height, pitch, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
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
    if (n == 0)
        return cudaSuccess;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
    // END TODO(6)
}
