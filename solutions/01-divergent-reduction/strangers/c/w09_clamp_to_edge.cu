// Wrong: a thread past the end reads the last int instead of bringing a zero (as an image sampler clamps to the edge), so the last int counts once more for each thread left over.
// Kind: bound
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
    extern __shared__ int local[];
    const size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lid = threadIdx.x, lsize = blockDim.x;

    local[lid] = in[gid < n ? gid : n - 1];
    __syncthreads();
    for (unsigned offset = 1; offset < lsize; offset <<= 1) {
        const unsigned mask = (offset << 1) - 1;
        if ((lid & mask) == 0 && lid + offset < lsize) {
            int mine = local[lid];
            int other = local[lid + offset];
            local[lid] = mine + other;
        }
        __syncthreads();
    }
    if (lid == 0)
        partials[blockIdx.x] = local[0];
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
        return cudaMemsetAsync(sum, 0, sizeof(int), 0);
    size_t work_items = n;
    const int *buffer = in;
    for (;;) {
        size_t work_groups = work_items / block;
        if (work_groups * block < work_items)
            ++work_groups;
        int *out = work_groups == 1 ? sum : scratch;
        sum_divergent_kernel<<<(unsigned)work_groups, block, sizeof(int) * block>>>(
            buffer, work_items, out);
        cudaError_t err = cudaGetLastError();
        if (err != cudaSuccess)
            return err;
        if (out == sum)
            return cudaSuccess;
        scratch += work_groups;
        buffer = out;
        work_items = work_groups;
    }
    // END TODO(2)
}
