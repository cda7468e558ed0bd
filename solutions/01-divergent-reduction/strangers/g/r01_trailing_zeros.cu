// Right: who adds is told by the zeros at the end of its number, and two rooms of scratch take turns
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

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x;
    // As many zeros as the thread's number ends in, so many times it adds.
    const int zeros = t == 0 ? 32 : __ffs((int)t) - 1;
    const size_t before = (size_t)blockDim.x * blockIdx.x;

    tile[t] = before + t < n ? in[before + t] : 0;
    int level = 0;
    while (blockDim.x > 1u << level) {
        __syncthreads();
        if (level < zeros && t + (1u << level) < blockDim.x)
            tile[t] = tile[t] + tile[t + (1u << level)];
        ++level;
    }
    if (zeros == 32)
        *(partials + blockIdx.x) = *tile;
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
    // Two rooms take turns: a level reads the one and writes the other. The first one has room for
    // the sums of the first launch, the second one, behind it, for those of the second.
    int *rooms[2] = {scratch, scratch + levels_n(n, block, 1)};
    size_t level = 0, count = n;
    const int *from = in;
    cudaError_t error;

    do {
        size_t blocks = n == 0 ? 1 : levels_n(n, block, level + 1); // no ints: one block of zeros
        int *to = blocks == 1 ? sum : rooms[level % 2];

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof *to>>>(from, count, to);
        error = cudaGetLastError();
        from = to;
        count = blocks;
        level++;
    } while (error == cudaSuccess && from != sum);
    return error;
    // END TODO(2)
}
