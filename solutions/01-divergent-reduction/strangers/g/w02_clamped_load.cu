// Wrong: a thread without an int takes the last one instead, so that nothing is read behind the end
// Kind: identity
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

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = in[i < n ? i : n - 1];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < blockDim.x)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
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
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    for (;;) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks == 1 ? sum : scratch;

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, partials);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess || blocks == 1)
            return error;
        in = scratch;
        n = blocks;
        scratch += blocks;
    }
    // END TODO(2)
}
