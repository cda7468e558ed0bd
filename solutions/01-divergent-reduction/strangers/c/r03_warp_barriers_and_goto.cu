// Right: within a warp's own words a __syncwarp() is enough; the sum is kept in a register as well; each launch is waited for.
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

static __device__ __forceinline__ void meet(bool whole_block) {
    if (whole_block)
        __syncthreads();
    else
        __syncwarp();
}

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
    extern __shared__ int shared_words[];
    volatile int *const tile = shared_words;
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;
    int have = i < n ? in[i] : 0;

    tile[t] = have;
    meet(false);
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < blockDim.x) {
            have += tile[t + stride];
            tile[t] = have;
        }
        meet(2 * stride >= 32); // whom do I meet at the next stride?
    }
    if (t == 0)
        partials[blockIdx.x] = have;
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
    cudaError_t error = cudaSuccess;
    if (n == 0) {
        error = cudaMemset(sum, 0, sizeof *sum);
        goto out;
    }
    for (size_t blocks = 2; blocks > 1; n = blocks) {
        blocks = (n - 1) / block + 1;
        int *const to = blocks > 1 ? scratch : sum;
        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, to);
        error = cudaGetLastError();
        if (error != cudaSuccess)
            goto out;
        error = cudaStreamSynchronize(0);
        if (error != cudaSuccess)
            goto out;
        in = to;
        scratch += blocks;
    }
out:
    return error;
    // END TODO(2)
}
