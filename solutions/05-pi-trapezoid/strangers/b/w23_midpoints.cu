// Wrong: this is the midpoint rule: closer to pi, but not the value of the trapezoidal rule that is asked for.
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
    double y = 1.0 - x * x;
    return y > 0 ? sqrt(y) : 0.0;
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
    const size_t me = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    const size_t all = (size_t)blockDim.x * gridDim.x;
    const double h = 1.0 / (double)n;
    // both ends apart: f(0) is 1, f(1) is 0
    double mine = 0.0;
    for (size_t i = me; i < n; i += all)
        mine += quarter_circle(((double)i + 0.5) * h);
    mine = sum_block(mine);
    if (!threadIdx.x)
        partials[blockIdx.x] = mine;
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
    cudaError_t result;
    if (n > 0) {
        partial_sums_kernel<<<dim3(blocks), dim3(block), sizeof(double) * block>>>(n, scratch);
        result = cudaGetLastError();
        if (result == cudaSuccess) {
            total_kernel<<<dim3(1), dim3(block), sizeof(double) * block>>>(scratch, blocks, n, pi);
            result = cudaGetLastError();
        }
    } else {
        result = cudaMemsetAsync(pi, 0, sizeof *pi, 0);
    }
    return result;
    // END TODO(5)
}
