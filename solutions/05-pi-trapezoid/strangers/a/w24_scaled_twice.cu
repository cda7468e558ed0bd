// Wrong: the partial sums are multiplied by 4 h already and the last kernel multiplies by 4 / n again.
// Kind: constant
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
    const double square_of_height = 1.0 - x * x;
    return square_of_height > 0.0 ? sqrt(square_of_height) : 0.0;
    // END TODO(1)
}

/*
 * Sums one value a thread over the block; thread 0 gets the sum, the others get anything. All
 * threads of the block call it, with blockDim.x doubles of dynamic shared memory.
 */
__device__ double sum_block(double value) {
    // TODO(2): as in the labs before, for any block size (about 12 lines)
    extern __shared__ double tile[];
    const unsigned t = threadIdx.x;
    auto has_turn = [t](unsigned stride) { return t % (2 * stride) == 0 && t + stride < blockDim.x; };
    tile[t] = value;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
        if (has_turn(stride))
            tile[t] = tile[t] + tile[t + stride];
        __syncthreads();
    }
    return tile[t];
    // END TODO(2)
}

/* partials[blockIdx.x] gets the sum of f over the points that the block's threads have taken. */
__global__ void partial_sums_kernel(size_t n, double *partials) {
    // TODO(3): each thread takes every so-many-th point, then the block adds up (about 10 lines)
    const double h = 1.0 / (double)n;
    const size_t number_of_thread = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
    const size_t number_of_threads = (size_t)blockDim.x * gridDim.x;
    double sum = 0.0;
    if (number_of_thread == 0)
        sum = 0.5 * (quarter_circle(0.0) + quarter_circle(1.0)); // the ends
    for (size_t inner = 1 + number_of_thread; inner < n; inner += number_of_threads)
        sum += quarter_circle(h * (double)inner);
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = 4.0 * h * sum;
    // END TODO(3)
}

/* *pi gets the rule's value. One block. */
__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    // TODO(4): add up the partial sums, and scale (about 8 lines)
    unsigned block_number = threadIdx.x;
    double sum_of_blocks = 0;
    while (block_number < count) {
        sum_of_blocks += partials[block_number];
        block_number += blockDim.x;
    }
    sum_of_blocks = sum_block(sum_of_blocks);
    const double factor = 4.0 / (double)n;
    if (!threadIdx.x)
        pi[0] = factor * sum_of_blocks;
    // END TODO(4)
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    // TODO(5): two launches (about 8 lines)
    if (n == 0)
        return cudaMemset(pi, 0, sizeof(double));
    size_t bytes_of_tile = block * sizeof(double);
    partial_sums_kernel<<<blocks, block, bytes_of_tile>>>(n, scratch);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    total_kernel<<<1, block, bytes_of_tile>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
    // END TODO(5)
}
