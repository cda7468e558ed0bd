// Wrong: where fewer ints are left than the block has threads, the launch asks for shared memory for the ints only, but each thread of the block fills a word: the words of the threads without an int lie outside.
// Kind: shared
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

static cudaError_t one_level(const int *in, size_t n, unsigned block, size_t blocks, int *out) {
    const size_t words = n < block ? n : block;

    extern __global__ void sum_divergent_kernel(const int *, size_t, int *);
    sum_divergent_kernel<<<(unsigned)blocks, block, words * sizeof(int)>>>(in, n, out);
    return cudaGetLastError();
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
    extern __shared__ int s[];
    unsigned tid = threadIdx.x;
    size_t gid = blockIdx.x;
    gid *= blockDim.x;
    gid += tid;

    s[tid] = gid >= n ? 0 : in[gid];
    __syncthreads();

    for (unsigned step = 2; step / 2 < blockDim.x; step *= 2) {
        const bool adds = tid % step == 0 && tid + step / 2 < blockDim.x;
        if (adds)
            s[tid] += s[tid + step / 2];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = s[0];
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

    size_t blocks = (n + block - 1) / block;
    while (blocks > 1) {
        cudaError_t error = one_level(in, n, block, blocks, scratch);
        if (error)
            return error;
        in = scratch;
        scratch += blocks;
        n = blocks;
        blocks = (n + block - 1) / block;
    }
    return one_level(in, n, block, 1, sum);
    // END TODO(2)
}
