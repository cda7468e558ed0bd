// Wrong: cudaPeekAtLastError leaves the error of a refused launch behind, for the next call to find
// Kind: error
/*
 * Lab 05: pi by the trapezoidal rule. Handout: handouts/05-pi-trapezoid.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the integrand (TODO 1), the sum of a block (TODO 2), the kernel that
 * goes through the points (TODO 3), the one that adds up (TODO 4), and the launches (TODO 5).
 */
#include "pi_trapezoid.h"

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own code.
 */
// TODO(0): answer the questions (4 numbers)
// The error at n = 2048 is how many times as large as at n = 8192? In percent, rounded: 400 is 4
// times.
extern "C" const int predicted_error_ratio_percent_2048 = 800;

// The rule's value is within 10^-5 of pi from n = 2^m on. Which m?
extern "C" const int predicted_log2_intervals_for_5_digits = 12;

// 2^16 intervals, 8 blocks of 256 threads: how many requests to load from global memory or to store
// to it does the kernel that goes through the points make, all warps together?
extern "C" const int predicted_memory_requests = 8;

// How many barriers does each of its warps wait at, in blocks of 256 threads?
extern "C" const int predicted_barriers_of_a_warp = 9;
// END TODO(0)

/* What became of the launch before. */
static cudaError_t launched(void) {
    return cudaPeekAtLastError();
}

/* How much point i of 0 ... n counts. */
__device__ static double weight(size_t i, size_t n) {
    return 0 < i && i < n ? 1.0 : 0.5;
}

/* sqrt(1 - x * x), the height of the quarter circle; x is from 0 to 1. */
__device__ double quarter_circle(double x) {
    // TODO(1): one line
    double square = fma(-x, x, 1.0);
    return square > 0.0 ? sqrt(square) : 0.0;
    // END TODO(1)
}

/*
 * Sums one value a thread over the block; thread 0 gets the sum, the others get anything. All
 * threads of the block call it, with blockDim.x doubles of dynamic shared memory.
 */
__device__ double sum_block(double value) {
    // TODO(2): as in the labs before, for any block size (about 12 lines)
    extern __shared__ double sums[];

    sums[threadIdx.x] = value;
    __syncthreads();
    for (unsigned left = blockDim.x; left > 1;) {
        unsigned half = (left + 1) / 2;
        if (threadIdx.x + half < left)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
        left = half;
    }
    return sums[0];
    // END TODO(2)
}

/* partials[blockIdx.x] gets the sum of f over the points that the block's threads have taken. */
__global__ void partial_sums_kernel(size_t n, double *partials) {
    // TODO(3): each thread takes every so-many-th point, then the block adds up (about 10 lines)
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    size_t turns = first <= n ? (n - first) / step + 1 : 0;
    double sum = 0.0;

    for (size_t i = first; turns > 0; i += step, turns--)
        sum += weight(i, n) * quarter_circle((double)i / n);

    double block_sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = block_sum;
    // END TODO(3)
}

/* *pi gets the rule's value. One block. */
__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    // TODO(4): add up the partial sums, and scale (about 8 lines)
    double sum = 0.0;

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = n == 0 ? 0.0 : 4.0 / n * sum;
    // END TODO(4)
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    // TODO(5): two launches (about 8 lines)
    const size_t shared = sizeof(double) * block;
    cudaError_t status;

    partial_sums_kernel<<<dim3(blocks), dim3(block), shared>>>(n, scratch);
    if ((status = launched()) == cudaSuccess) {
        total_kernel<<<1, block, shared>>>(scratch, blocks, n, pi);
        status = launched();
    }
    return status;
    // END TODO(5)
}
