// Wrong: the barrier stands within the if, only the threads that add arrive at it.
// Kind: barrier
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Write what the TODO regions ask for, and nothing outside them. The order of work: answer the
 * predictions (TODO 0), write the kernel (TODO 1), then the function that launches it (TODO 2).
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
    extern __shared__ int tile[];
    unsigned int thread_index = threadIdx.x;
    size_t global_index = (size_t)blockIdx.x * blockDim.x + thread_index;

    if (global_index < n)
        tile[thread_index] = in[global_index];
    else
        tile[thread_index] = 0;
    __syncthreads();

    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        if (thread_index % (2 * stride) == 0 && thread_index + stride < blockDim.x) {
            tile[thread_index] += tile[thread_index + stride];
            __syncthreads();
        }
    }

    if (thread_index == 0)
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
        return cudaMemset(sum, 0, sizeof(*sum));
    cudaError_t error;
    const int *source = in;
    size_t level_size = n;
    for (; level_size > block;) {
        size_t next_size = (level_size + block - 1) / block;
        sum_divergent_kernel<<<(unsigned int)next_size, block, sizeof(int) * block>>>(
            source, level_size, scratch);
        error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        source = scratch;
        scratch += next_size;
        level_size = next_size;
    }
    sum_divergent_kernel<<<1, block, sizeof(int) * block>>>(source, level_size, sum);
    error = cudaGetLastError();
    return error;
    // END TODO(2)
}
