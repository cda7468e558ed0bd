// Wrong: full blocks load their ints in pairs (int2), which asks for addresses that are multiples of 8, but nobody promises that of `in`, and a level's partial sums begin at any int of scratch.
// Kind: access
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

// A block of 32 threads is one warp. How often does it diverge at the `if` inside the loop?
extern "C" const int predicted_divergent_branches_32 = -1;

// A block of 512 threads, all its warps and all strides together: how often at that `if`?
extern "C" const int predicted_divergent_branches_512 = -1;

// How many barriers does each warp of a block of 512 threads wait at?
extern "C" const int predicted_barriers_of_a_warp = -1;

// Global memory comes in sectors of 32 bytes. How many does a block of 512 threads read?
extern "C" const int predicted_load_sectors_512 = -1;

// END TODO(0)

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ __align__(8) int tile[];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    const size_t left = n - first;
    const int *const mine = in + first;

    // whole warps of half the threads load two neighbours each
    bool pairs = blockDim.x % 64 == 0 && left >= blockDim.x;

    if (pairs) {
        if (t < blockDim.x / 2)
            ((int2 *)tile)[t] = ((const int2 *)mine)[t];
    } else {
        tile[t] = t < left ? mine[t] : 0;
    }
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d = d << 1) {
        if ((t & ((d << 1) - 1)) == 0 && t + d < blockDim.x)
            tile[t] += tile[t + d];
        __syncthreads();
    }
    if (!t)
        partials[blockIdx.x] = *tile;
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
    cudaError_t error;
    size_t blocks;

    if (n == 0)
        return cudaMemset(sum, 0, 4);
    while ((blocks = (n + block - 1) / block) > 1) {
        sum_divergent_kernel<<<(unsigned)blocks, block, 4 * block>>>(in, n, scratch);
        if ((error = cudaGetLastError()) != cudaSuccess)
            return error;
        in = scratch;
        scratch += blocks;
        n = blocks;
    }
    sum_divergent_kernel<<<1, block, 4 * block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(2)
}
