// Right: n = 0 is no special case: one block is launched in any case and fills its tile with zeros; the launches are made by cudaLaunchKernel with an array of addresses.
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
    int &mine = tile[threadIdx.x];
    const unsigned block = blockDim.x;
    const auto i = blockIdx.x * static_cast<size_t>(block) + threadIdx.x;

    mine = 0;
    if (i < n) mine = in[i];
    __syncthreads();

    for (unsigned stride = 1; stride < block; stride *= 2) {
        const auto neighbour = threadIdx.x + stride;
        const auto mask = 2 * stride - 1;
        if (!(threadIdx.x & mask) && neighbour < block)
            mine += tile[neighbour];
        __syncthreads();
    }
    if (!threadIdx.x) partials[blockIdx.x] = mine;
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
    size_t blocks = 0;
    while (blocks != 1) {
        blocks = (n + block - 1) / block;
        if (blocks == 0)
            blocks = 1; // nothing but zeros

        int *out = blocks == 1 ? sum : scratch;
        void *arguments[] = {&in, &n, &out};
        cudaError_t error = cudaLaunchKernel((const void *)sum_divergent_kernel,
                                             dim3((unsigned)blocks), dim3(block), arguments,
                                             block * sizeof(int), 0);
        if (error != cudaSuccess) {
            cudaGetLastError(); // it is returned, and not kept for the next who asks
            return error;
        }
        in = out;
        scratch += blocks;
        n = blocks;
    }
    return cudaSuccess;
    // END TODO(2)
}
