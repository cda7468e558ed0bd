// Wrong: the plan of the levels is made once and kept in static variables, so a later call with another n or block launches the first call's levels.
// Kind: state
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
extern "C" const int predicted_divergent_branches_32 = 5;

// A block of 512 threads, all its warps and all strides together: how often at that `if`?
extern "C" const int predicted_divergent_branches_512 = 95;

// How many barriers does each warp of a block of 512 threads wait at?
extern "C" const int predicted_barriers_of_a_warp = 10;

// Global memory comes in sectors of 32 bytes. How many does a block of 512 threads read?
extern "C" const int predicted_load_sectors_512 = 64;

// END TODO(0)

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x, threads = blockDim.x;
    const size_t i = size_t(threads) * blockIdx.x + t;
    tile[t] = i < n ? __ldg(in + i) : 0;
    for (unsigned s = 1, two = 2; s < threads; s = two, two *= 2) {
        __syncthreads();
        if (t % two == 0 && t + s < threads)
            tile[t] += tile[t + s];
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
    // first the plan: how many ints each level begins with, down to 1
    static size_t level[66]; static int levels = 0;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    if (levels == 0) {
        level[0] = n;
        do {
            level[levels + 1] = (level[levels] + block - 1) / block;
            ++levels;
        } while (level[levels] > 1);
    }

    // then the launches
    for (int k = 0; k < levels; ++k) {
        int *to = k == levels - 1 ? sum : scratch;
        sum_divergent_kernel<<<(unsigned)level[k + 1], block, block * sizeof(int)>>>(in, level[k],
                                                                                    to);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        in = to;
        scratch += level[k + 1];
    }
    return cudaSuccess;
    // END TODO(2)
}
