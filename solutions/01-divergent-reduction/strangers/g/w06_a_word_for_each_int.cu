// Wrong: the tile needs no more words than there are ints, so a launch on few ints asks for few bytes
// Kind: shared
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

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials);

/* How many blocks of `block` numbers there are; one at least, so that it can be launched. */
static size_t blocks_for(size_t count, unsigned block) {
    return count <= block ? 1 : 1 + (count - 1) / block;
}

static cudaError_t run_level(const int *from, size_t count, unsigned block, int *to) {
    dim3 grid((unsigned)blocks_for(count, block));
    size_t bytes = (count < block ? count : block) * sizeof(int);

    sum_divergent_kernel<<<grid, block, bytes>>>(from, count, to);
    return cudaGetLastError();
}

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int words[];
    const unsigned size = blockDim.x, me = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * size;
    const size_t here = n - first;
    int *const mine = words + me;

    if (me < here)
        *mine = in[first + me];
    else
        *mine = 0;
    for (unsigned s = 1; s < size; s += s) {
        __syncthreads();
        if (me % (s + s) == 0 && me + s < size)
            *mine += mine[s];
    }
    if (me == 0)
        partials[blockIdx.x] = *mine;
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
    const int *from = in;
    int *to = scratch;
    size_t count = n;
    cudaError_t error = cudaSuccess;

    while (count > block && error == cudaSuccess) {
        error = run_level(from, count, block, to);
        from = to;
        count = blocks_for(count, block);
        to += count;
    }
    if (error == cudaSuccess)
        error = run_level(from, count, block, sum);
    return error;
    // END TODO(2)
}
