// Wrong: the number of ints is not lowered for the next level: the kernel is told the old count and adds up words of scratch behind the partial sums.
// Kind: levels
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

template <typename Number>
__device__ Number load_or_neutral(const Number *array, size_t length, Number neutral) {
    size_t index_in_array = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    return index_in_array < length ? array[index_in_array] : neutral;
}

__device__ bool is_multiple_of(unsigned number, unsigned divisor) {
    return number % divisor == 0;
}

// END TODO(0)

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    extern __shared__ int tile[];
    int *my_word = tile + threadIdx.x;

    *my_word = load_or_neutral<int>(in, n, 0);
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride = 2 * stride) {
        if (is_multiple_of(threadIdx.x, 2 * stride) && threadIdx.x + stride < blockDim.x)
            *my_word += my_word[stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *my_word;
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
    cudaError_t result = cudaSuccess;
    size_t numbers_left = n;
    do {
        size_t blocks = 1; // also for n = 0: a block of zeros
        if (numbers_left > block)
            blocks = (numbers_left - 1) / block + 1;
        int *target = scratch;
        if (blocks == 1)
            target = sum;
        sum_divergent_kernel<<<blocks, block, block * sizeof(int)>>>(in, n, target);
        result = cudaGetLastError();
        in = target;
        scratch = scratch + blocks;
        numbers_left = blocks;
    } while (result == cudaSuccess && numbers_left > 1);
    return result;
    // END TODO(2)
}
