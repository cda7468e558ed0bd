// Wrong: the error of the launches can be asked for with cudaGetLastError after sum_by_levels (which has already taken it away, and an error that was no launch is lost, too).
// Kind: error
/*
 * Lab 02: less divergent reduction. Handout: handouts/02-less-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), write the version between (TODO 1), then the one with
 * the halving stride (TODO 2).
 */
#include "sum_by_levels.cuh"

/*
 * Predictions, before you run anything. All of them are about a kernel's first launch on full
 * blocks; -1 means "not answered". They cost no points: the grader sets them beside what it counted
 * on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_halving in a block of 256 threads: how often do its warps diverge at the `if` in the loop?
extern "C" const int predicted_divergent_branches_256 = 5;

// The same block: how often does a warp go through an addition, all warps and steps together?
extern "C" const int predicted_warp_additions_256 = 12;

// sum_halving in a block of 12 threads: how often does its only warp diverge at that `if`?
extern "C" const int predicted_divergent_branches_12 = 4;

// sum_strided in a block of 128 threads: how many passes of the 32 banks are there beyond those
// that the same accesses would need without a conflict? An addition reads two words and writes one.
extern "C" const int predicted_strided_conflicts_128 = 45;

// END TODO(0)

/*
 * Between lab 01 and the halving stride: the tree of lab 01, words and all, but thread t does the
 * t-th addition of each step. One block sums one tile into partials[blockIdx.x]; the tile is
 * dynamic shared memory, one int a thread.
 */
__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load, add with strides 1, 2, 4 … at word 2 * stride * t, store (about 13 lines)
    extern __shared__ int tile[];
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned word = 2 * stride * threadIdx.x;
        if (word + stride < blockDim.x)
            tile[word] += tile[word + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = tile[0];
    // END TODO(1)
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    // TODO(1): hand the kernel to sum_by_levels (1 line)
    sum_by_levels(sum_strided_kernel, in, n, block, scratch, sum);
    return cudaGetLastError();
    // END TODO(1)
}

/*
 * The first half of the threads add what lies half a tile further on; then the first quarter; and
 * so on. Tile, result and launch are as above.
 */
__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    // TODO(2): load, add with a stride that halves, store (about 13 lines)
    extern __shared__ int tile[];
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned words = blockDim.x; words > 1;) {
        unsigned stride = (words + 1) / 2;
        if (threadIdx.x + stride < words)
            tile[threadIdx.x] += tile[threadIdx.x + stride];
        __syncthreads();
        words = stride;
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = tile[0];
    // END TODO(2)
}

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    // TODO(2): hand the kernel to sum_by_levels (1 line)
    return sum_by_levels(sum_halving_kernel, in, n, block, scratch, sum);
    // END TODO(2)
}
