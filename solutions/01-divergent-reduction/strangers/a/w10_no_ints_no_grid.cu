// Wrong: n = 0 is not treated apart and no block is launched: the grid of 0 blocks is refused and *sum keeps what it held.
// Kind: launch
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
    const int tid = threadIdx.x;
    const int size = blockDim.x;
    auto add_if_neighbour = [&](int distance) {
        if (tid % (distance << 1) == 0) {
            if (tid + distance < size)
                tile[tid] += tile[tid + distance];
        }
    };

    size_t where = blockIdx.x;
    where *= size;
    where += tid;
    tile[tid] = 0;
    if (where < n)
        tile[tid] = in[where];
    __syncthreads();

    int distance = 1;
    do {
        add_if_neighbour(distance);
        __syncthreads();
        distance *= 2;
    } while (distance < size);

    if (tid == 0)
        partials[blockIdx.x] = tile[tid];
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
    const int *current_input = in;
    size_t remaining = n;
    int *free_scratch = scratch;
    while (true) {
        size_t number_of_blocks = (remaining + block - 1) / block;
        int *destination = number_of_blocks == 1 ? sum : free_scratch;
        sum_divergent_kernel<<<number_of_blocks, block, block * sizeof(int)>>>(
            current_input, remaining, destination);
        cudaError_t launch_error = cudaGetLastError();
        if (launch_error != cudaSuccess)
            return launch_error;
        if (number_of_blocks <= 1)
            return cudaSuccess;
        current_input = destination;
        remaining = number_of_blocks;
        free_scratch += number_of_blocks;
    }
    // END TODO(2)
}
