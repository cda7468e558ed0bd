// Wrong: a warp always has 32 lanes, so a shuffle of the whole warp names all 32, also in the last warp of a block of 100.
// Kind: mask
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
extern "C" const int predicted_barriers_of_a_warp = 1;

/* The sum of a warp's first `lanes` lanes, which are all it has; lane 0 gets it. */
__device__ double sum_lanes(double value, unsigned lanes) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned mask = 0xffffffffu;

    for (unsigned d = 16; d > 0; d /= 2) {
        const bool there = lane + d < lanes;
        const double other = __shfl_sync(mask, value, there ? lane + d : lane);
        if (there)
            value += other;
    }
    return value;
}

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
    extern __shared__ double of_warps[];
    const unsigned warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
    const unsigned lanes = min(32u, blockDim.x - 32 * warp); // of this warp

    value = sum_lanes(value, lanes);
    if (threadIdx.x % 32 == 0)
        of_warps[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = sum_lanes(threadIdx.x < warps ? of_warps[threadIdx.x] : 0.0, lanes);
    return value;
    // END TODO(2)
}

/* partials[blockIdx.x] gets the sum of f over the points that the block's threads have taken. */
__global__ void partial_sums_kernel(size_t n, double *partials) {
    // TODO(3): each thread takes every so-many-th point, then the block adds up (about 10 lines)
    const double intervals = (double)n;
    double mine = 0;
    size_t point = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (point == 0) {
        mine = 0.5; // f(0) / 2, and f(1) is 0
        point += (size_t)gridDim.x * blockDim.x;
    }
    while (point < n) {
        mine += quarter_circle(point / intervals);
        point += (size_t)gridDim.x * blockDim.x;
    }
    mine = sum_block(mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
    // END TODO(3)
}

/* *pi gets the rule's value. One block. */
__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    // TODO(4): add up the partial sums, and scale (about 8 lines)
    double mine = 0;
    for (unsigned first = 0; first < count; first += blockDim.x)
        if (threadIdx.x < count - first)
            mine += partials[first + threadIdx.x];
    mine = sum_block(mine);
    if (threadIdx.x == 0)
        *pi = 4 * mine / n;
    // END TODO(4)
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    // TODO(5): two launches (about 8 lines)
    const size_t shared = block * sizeof(double);
    cudaError_t status;

    if (n == 0) {
        status = cudaMemset(pi, 0, sizeof *pi);
        return status;
    }
    partial_sums_kernel<<<blocks, block, shared>>>(n, scratch);
    status = cudaGetLastError();
    if (status == cudaSuccess) {
        total_kernel<<<1, block, shared>>>(scratch, blocks, n, pi);
        status = cudaGetLastError();
    }
    return status;
    // END TODO(5)
}
