// Wrong: x is added up step by step, so that its roundings add up, it may pass 1, and the root is NaN then.
// Kind: idea
/*
 * Lab 05: pi by the trapezoidal rule. Handout: handouts/05-pi-trapezoid.md
 *
 * Write what the TODO regions ask for, and nothing outside them. The order of work: answer the
 * predictions (TODO 0), write the integrand (TODO 1), the sum of a block (TODO 2), the kernel that
 * goes through the points (TODO 3), the one that adds up (TODO 4), and the launches (TODO 5).
 */
#include "pi_trapezoid.h"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own code.
 */
// TODO(0): answer the questions (4 numbers)

// The error at n = 4096 is how many times as large as at n = 8192? In percent, rounded: 400 is 4.
extern "C" const int predicted_error_ratio_percent = -1;

// The rule's value is within 10^-6 of pi from n = 2^m on. Which m?
extern "C" const int predicted_log2_intervals = -1;

// How many sectors does the kernel that goes through the points load from global memory?
extern "C" const int predicted_load_sectors = -1;

// How many barriers does each of its warps wait at, in blocks of 256 threads?
extern "C" const int predicted_barriers_of_a_warp = -1;

// END TODO(0)

/* sqrt(1 - x * x), the height of the quarter circle; x is from 0 to 1. */
__device__ double quarter_circle(double x) {
    // TODO(1): one line
    return sqrt(fma(-x, x, 1.0)); // x is 1 at most, and fma rounds once: never below 0
    // END TODO(1)
}

/*
 * Sums one value a thread over the block; thread 0 gets the sum, the others get anything. All
 * threads of the block call it, with blockDim.x doubles of dynamic shared memory.
 */
__device__ double sum_block(double value) {
    // TODO(2): as in the labs before, for any block size (about 12 lines)
    extern __shared__ double shared[];
    double *own = shared + threadIdx.x;
    *own = value;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s <<= 1) {
        if (threadIdx.x % (2 * s) == 0 && threadIdx.x + s < blockDim.x)
            *own += own[s];
        __syncthreads();
    }
    return *own;
    // END TODO(2)
}

/* partials[blockIdx.x] gets the sum of f over the points that the block's threads have taken. */
__global__ void partial_sums_kernel(size_t n, double *partials) {
    // TODO(3): each thread takes every so-many-th point, then the block adds up (about 10 lines)
    const size_t threads = (size_t)blockDim.x * gridDim.x;
    const size_t first = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t turns = n / threads + 1;
    const double step = 1.0 / n;
    double acc = 0, x = first * step;
    for (size_t k = 0; k < turns; ++k) {
        const size_t i = first + k * threads;
        if (i > n)
            break;
        const double f = quarter_circle(x);
        x += threads * step;
        acc += i == 0 || i == n ? f / 2 : f;
    }
    acc = sum_block(acc);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = acc;
    }
    // END TODO(3)
}

/* *pi gets the rule's value. One block. */
__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    // TODO(4): add up the partial sums, and scale (about 8 lines)
    unsigned next = threadIdx.x;
    double value = 0.0;
    while (next < count) {
        value = value + partials[next];
        next = next + blockDim.x;
    }
    value = sum_block(value);
    if (threadIdx.x == 0) {
        pi[0] = 4.0 * value / (double)n;
    }
    // END TODO(4)
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    // TODO(5): two launches (about 8 lines)
    if (n == 0)
        return cudaMemset(pi, 0, sizeof(double));
    size_t bytes = block * sizeof(double);
    partial_sums_kernel<<<blocks, block, bytes>>>(n, scratch);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    total_kernel<<<1, block, bytes>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
    // END TODO(5)
}
