// Wrong: scratch is not moved on: from the second level on a block writes a partial sum where another block still has to read.
// Kind: race
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
    const unsigned int tid = threadIdx.x, size = blockDim.x;
    const size_t first = (size_t)blockIdx.x * size;
    int mine = 0;
    if (first + tid < n)
        mine = in[first + tid];
    tile[tid] = mine;
    unsigned int s = 1;
    while (s < size) {
        __syncthreads();
        if ((tid & (2 * s - 1)) == 0 && tid + s < size) {
            mine += tile[tid + s];
            tile[tid] = mine;
        }
        s <<= 1;
    }
    if (tid == 0)
        partials[blockIdx.x] = mine;
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
    cudaError_t status;
    const int *src = in;
    int *dst = scratch;
    size_t left = n;
    if (left == 0)
        return cudaMemsetAsync(sum, 0, sizeof *sum, 0);
    do {
        size_t grid = left / block + (left % block != 0);
        if (grid == 1)
            dst = sum;
        sum_divergent_kernel<<<grid, block, sizeof(int) * block>>>(src, left, dst);
        status = cudaGetLastError();
        if (status != cudaSuccess)
            return status;
        src = dst;
        left = grid;
    } while (left > 1);
    return cudaSuccess;
    // END TODO(2)
}
