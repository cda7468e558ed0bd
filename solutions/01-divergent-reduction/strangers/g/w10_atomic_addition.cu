// Wrong: several threads change the tile, so additions to its words have to be atomic
// Kind: atomic
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

/* The int that this thread brings along, 0 behind the end. */
__device__ int own_int(const int *in, size_t n) {
    size_t place = blockIdx.x;

    place = place * blockDim.x + threadIdx.x;
    if (place >= n)
        return 0;
    return in[place];
}

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials);

/* Sums n numbers; `room` is where partial sums of this and all further levels may go. */
static cudaError_t sum_level(const int *from, size_t n, unsigned block, int *room, int *sum) {
    size_t left = n / block + (n % block != 0);
    bool last = left == 1;

    sum_divergent_kernel<<<(unsigned)left, block, sizeof(int) * block>>>(from, n, last ? sum : room);
    cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess || last)
        return status;
    return sum_level(room, left, block, room + left, sum);
}

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x, size = blockDim.x;

    tile[t] = own_int(in, n);
    for (unsigned level = 0; (1u << level) < size; level++) {
        unsigned both = 2u << level, other = t + (1u << level);

        __syncthreads();
        if ((t & (both - 1)) != 0)
            continue;
        if (other < size)
            atomicAdd(&tile[t], tile[other]);
    }
    __syncthreads();
    if (t == 0)
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
    if (n > 0)
        return sum_level(in, n, block, scratch, sum);
    return cudaMemset(sum, 0, sizeof(int));
    // END TODO(2)
}
