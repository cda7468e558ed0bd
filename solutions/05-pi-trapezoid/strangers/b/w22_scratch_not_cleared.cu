// Wrong: the word that takes all atomics is not cleared, so that what stood in scratch (the last call's sum, or anything) is added.
// Kind: state
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
    return sqrt(fmax(0.0, 1.0 - x * x));
    // END TODO(1)
}

/*
 * Sums one value a thread over the block; thread 0 gets the sum, the others get anything. All
 * threads of the block call it, with blockDim.x doubles of dynamic shared memory.
 */
__device__ double sum_block(double value) {
    // TODO(2): as in the labs before, for any block size (about 12 lines)
    extern __shared__ double tile[];
    const int t = threadIdx.x;
    tile[t] = value;
    int count = blockDim.x;
    while (count > 1) {
        const int half = count - count / 2;
        __syncthreads();
        if (t < count / 2) {
            value += tile[t + half];
            tile[t] = value;
        }
        count = half;
    }
    return value;
    // END TODO(2)
}

/* partials[blockIdx.x] gets the sum of f over the points that the block's threads have taken. */
__global__ void partial_sums_kernel(size_t n, double *partials) {
    // TODO(3): each thread takes every so-many-th point, then the block adds up (about 10 lines)
    const size_t step = (size_t)blockDim.x * gridDim.x;
    double mine = 0;
    for (size_t i = (size_t)blockDim.x * blockIdx.x + threadIdx.x; i <= n; i += step)
        mine += quarter_circle((double)i / n) * (i == 0 || i == n ? 0.5 : 1.0);
    double total = sum_block(mine);
    if (threadIdx.x == 0)
        atomicAdd(partials, total); // the first word takes all
    // END TODO(3)
}

/* *pi gets the rule's value. One block. */
__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    // TODO(4): add up the partial sums, and scale (about 8 lines)
    double mine = 0;
    for (unsigned b = threadIdx.x; b < count; b += blockDim.x)
        mine += partials[b];
    double total = sum_block(mine);
    if (threadIdx.x == 0)
        *pi = 4.0 / n * total;
    // END TODO(4)
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    // TODO(5): two launches (about 8 lines)
    if (n == 0)
        return cudaMemset(pi, 0, sizeof(double));
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    total_kernel<<<1, 32, 32 * sizeof(double)>>>(scratch, 1, n, pi);
    return cudaGetLastError();
    // END TODO(5)
}
