// Wrong: the step of stride 16 ends in a barrier of the warp only, but the next step reads what other warps wrote, so stride 32 races with them in blocks of more than 32.
// Kind: barrier
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
    const int t = (int)threadIdx.x;
    const int threads = (int)blockDim.x;
    const size_t global = (size_t)threads * blockIdx.x + t;

    tile[t] = (global < n) ? in[global] : 0;
    __syncthreads();

    for (int s = 1; s < threads; s <<= 1) {
        if (t % (s << 1) == 0 && t + s < threads) {
            tile[t] += tile[t + s];
        }
        // words of this warp alone need no more than the warp's barrier
        if (s < 32)
            __syncwarp();
        else
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
    const size_t bytes = sizeof(int) * block;

    if (n == 0) {
        cudaError_t cleared = cudaMemset(sum, 0, sizeof(int));
        return cleared;
    }
    for (size_t blocks; ; n = blocks) {
        blocks = (n + block - 1) / block;
        bool last = blocks == 1;
        sum_divergent_kernel<<<(unsigned)blocks, block, bytes>>>(in, n, last ? sum : scratch);
        cudaError_t launched = cudaGetLastError();
        if (last || launched != cudaSuccess)
            return launched;
        in = scratch;
        scratch += blocks;
    }
    // END TODO(2)
}
