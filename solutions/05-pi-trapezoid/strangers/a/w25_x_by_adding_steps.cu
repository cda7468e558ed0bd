// Wrong: x is not computed from the point's whole number but added up step by step: its rounding errors grow with each turn, far beyond the 2 u of the bound.
// Kind: order
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
    double below_root = (1.0 - x) * (1.0 + x);
    if (below_root < 0.0)
        below_root = 0.0;
    return sqrt(below_root);
    // END TODO(1)
}

/*
 * Sums one value a thread over the block; thread 0 gets the sum, the others get anything. All
 * threads of the block call it, with blockDim.x doubles of dynamic shared memory.
 */
__device__ double sum_block(double value) {
    // TODO(2): as in the labs before, for any block size (about 12 lines)
    extern __shared__ double tile[];
    double *mine = &tile[threadIdx.x];
    *mine = value;
    __syncthreads();
    for (unsigned size = blockDim.x, half; size > 1; size = half) {
        half = size - size / 2;
        if (threadIdx.x < size - half) {
            value += mine[half];
            *mine = value;
        }
        __syncthreads();
    }
    return value;
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
    double x = h * (double)(1 + number_of_thread);
    for (size_t inner = 1 + number_of_thread; inner < n; inner += number_of_threads) {
        sum += quarter_circle(x);
        x += h * (double)number_of_threads;
    }
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
    // END TODO(3)
}

/* *pi gets the rule's value. One block. */
__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    // TODO(4): add up the partial sums, and scale (about 8 lines)
    double sum = 0.0;
    const unsigned rounds = count / blockDim.x + (count % blockDim.x != 0);
    for (unsigned round = 0; round < rounds; ++round) {
        const unsigned place = round * blockDim.x + threadIdx.x;
        sum += place < count ? partials[place] : 0.0;
    }
    sum = sum_block(sum);
    if (threadIdx.x > 0)
        return;
    *pi = sum * (4.0 / n);
    // END TODO(4)
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    // TODO(5): two launches (about 8 lines)
#define LAUNCH_OR_RETURN(launch)                                                                   \
    do {                                                                                           \
        launch;                                                                                    \
        cudaError_t refused = cudaGetLastError();                                                  \
        if (refused)                                                                               \
            return refused;                                                                        \
    } while (0)
    const size_t tile = block * sizeof(double);
    if (!n)
        return cudaMemset(pi, 0, sizeof(*pi));
    LAUNCH_OR_RETURN((partial_sums_kernel<<<blocks, block, tile>>>(n, scratch)));
    LAUNCH_OR_RETURN((total_kernel<<<1, block, tile>>>(scratch, blocks, n, pi)));
    return cudaSuccess;
    // END TODO(5)
}
