// Right: the barrier is __syncthreads_or, which also ends the loop, and the launches are written out and made by recursion
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

/*
 * Predictions, before you run anything. All of them are about the kernel's first launch on full
 * blocks; -1 means "not answered". They cost no points: the grader sets them beside what it counted
 * on your own kernel.
 */
// TODO(0): answer the questions (4 numbers)
// A block of 64 threads has two warps. How often do they diverge at the `if` inside the loop, both
// warps and all strides together?
extern "C" const int predicted_divergent_branches_64 = 11;

// A block of 256 threads: how often do its warps diverge at that `if`, all together?
extern "C" const int predicted_divergent_branches_256 = 47;

// How many barriers does each warp of a block of 256 threads wait at?
extern "C" const int predicted_barriers_of_a_warp_256 = 9;

// Global memory comes in sectors of 32 bytes. How many does a block of 256 threads read?
extern "C" const int predicted_load_sectors_256 = 32;
// END TODO(0)

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials);

/* A launch written out. Its error is fetched, so that it is not left pending. */
static cudaError_t launch_level(const int *from, size_t count, unsigned block, int *to) {
    void *arguments[] = {&from, &count, &to};
    size_t grid = count / block + (count % block ? 1 : 0);
    cudaError_t refused = cudaLaunchKernel((const void *)sum_divergent_kernel, dim3((unsigned)grid),
                                           dim3(block), arguments, block * sizeof(int), 0);
    cudaError_t pending = cudaGetLastError();

    return refused != cudaSuccess ? refused : pending;
}

/* The levels below first: leaves the sums of `level` where they belong, and tells where that is. */
static cudaError_t up_to_level(const int *in, size_t n, unsigned block, int *scratch, int *sum,
                               size_t level, const int **sums) {
    if (level == 0) {
        *sums = in;
        return cudaSuccess;
    }

    const int *from;
    cudaError_t error = up_to_level(in, n, block, scratch, sum, level - 1, &from);
    if (error != cudaSuccess)
        return error;
    size_t count = levels_n(n, block, level - 1);
    int *to = sum;
    if (count > block) {
        to = scratch;
        for (size_t before = 1; before < level; before++)
            to += levels_n(n, block, before);
    }
    *sums = to;
    return launch_level(from, count, block, to);
}

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int tile[];
    int *word = &tile[threadIdx.x], stride = 1, size = (int)blockDim.x;
    const int *end = &tile[size];
    size_t place = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    *word = place < n ? in[place] : 0;
    // The barrier and the question whether to go on are one: 10 in a block of 512.
    while (__syncthreads_or(stride < size)) {
        if ((word - tile & 2 * stride - 1) == 0 && end - word > stride)
            *word += word[stride];
        stride <<= 1;
    }
    if (word == tile)
        partials[blockIdx.x] = *word;
    // END TODO(1)
}

/*
 * Launches the kernel on `in`, then on the partial sums of the launch before, until one is left.
 */
extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue; // one thread a block would never leave fewer numbers

    // TODO(2): launch until one partial sum is left, and put that into *sum (about 16 lines)
    size_t levels = 1;
    const int *sums;

    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    while (levels_n(n, block, levels) > 1)
        levels++;
    return up_to_level(in, n, block, scratch, sum, levels, &sums);
    // END TODO(2)
}
