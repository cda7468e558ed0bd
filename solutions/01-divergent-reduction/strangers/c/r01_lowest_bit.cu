// Right: a thread adds as long as the stride is below the lowest set bit of its number; barrier at the head of the loop; the launches go by recursion into a helper that takes a range.
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

struct Range {
    const int *first;
    size_t count;
};

static cudaError_t reduce(Range r, unsigned block, int *spare, int *sum);

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
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    const size_t here = n - first < blockDim.x ? n - first : blockDim.x;

    // thread 12 = 1100b adds at strides 1 and 2; thread 0 adds at all of them
    const unsigned lowest = t ? t & (0u - t) : 0x80000000u;

    tile[t] = 0;
    if (t < here)
        tile[t] = in[first + t];
    for (unsigned stride = 1; stride < blockDim.x; stride += stride) {
        __syncthreads();
        if (stride < lowest && t + stride < blockDim.x)
            tile[t] += tile[t + stride];
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

static cudaError_t reduce(Range r, unsigned block, int *spare, int *sum) {
    const size_t blocks = r.count / block + (r.count % block ? 1 : 0);
    int *const out = blocks == 1 ? sum : spare;

    sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(r.first, r.count, out);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || blocks == 1)
        return error;
    return reduce(Range{out, blocks}, block, spare + blocks, sum);
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
    return n ? reduce(Range{in, n}, block, scratch, sum) : cudaMemset(sum, 0, sizeof *sum);
    // END TODO(2)
}
