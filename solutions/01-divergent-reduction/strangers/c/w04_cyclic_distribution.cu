// Wrong: the ints are dealt out to the blocks like cards (thread t of block b takes int t * blocks + b), so the lanes of a warp load from far apart and each lane costs a sector of its own: the sum is right, the loads are many times those that are asked.
// Kind: technique
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

/* Which int of the input belongs to this thread; every one belongs to just one. */
static __device__ size_t my_share(void) {
    const size_t rank = blockIdx.x;
    return threadIdx.x * (size_t)gridDim.x + rank;
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
    extern __shared__ int buffer[];
    const unsigned me = threadIdx.x;
    const unsigned size = blockDim.x;

    const size_t mine = my_share();
    int value = 0;
    if (mine < n)
        value = in[mine];
    buffer[me] = value;

    unsigned stride = 1;
    __syncthreads();
    while (stride < size) {
        const unsigned twice = stride + stride;
        if (me % twice == 0) {
            if (me + stride < size)
                buffer[me] = buffer[me] + buffer[me + stride];
        }
        stride = twice;
        __syncthreads();
    }
    if (me != 0)
        return;
    partials[blockIdx.x] = buffer[0];
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
    if (n < 1)
        return cudaMemset(sum, 0x00, sizeof(*sum));

    const int *source = in;
    int *level = scratch;
    for (;;) {
        const size_t ranks = (n + (block - 1)) / block;
        int *const destination = ranks == 1 ? sum : level;
        sum_divergent_kernel<<<static_cast<unsigned>(ranks), block, block * sizeof(int)>>>(
            source, n, destination);
        if (const cudaError_t e = cudaGetLastError(); e != cudaSuccess)
            return e;
        if (ranks == 1)
            break;
        source = destination;
        level += ranks;
        n = ranks;
    }
    return cudaSuccess;
    // END TODO(2)
}
