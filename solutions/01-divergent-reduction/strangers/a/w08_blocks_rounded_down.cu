// Wrong: the number of blocks is rounded down (one at least), so the ints of the last, partial block are lost.
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

// END TODO(0)

/*
 * One block sums one tile: blockDim.x neighbouring ints, of which the last block may have fewer.
 * The tile lies in dynamic shared memory, one int a thread. partials[blockIdx.x] gets its sum.
 */
__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    // TODO(1): load the tile, then sum it in place with strides 1, 2, 4 … (about 14 lines)
    struct Tools {
        static __device__ int number_or_zero(const int *numbers, size_t place, size_t count) {
            if (place < count)
                return numbers[place];
            return 0;
        }
        static __device__ bool adds_now(unsigned who, unsigned distance, unsigned how_many) {
            bool my_turn = who % (distance + distance) == 0;
            bool has_neighbour = who + distance < how_many;
            return my_turn && has_neighbour;
        }
    };
    extern __shared__ int tile[];
    const unsigned block_size = blockDim.x;
    const size_t first_of_block = (size_t)block_size * blockIdx.x;

    tile[threadIdx.x] = Tools::number_or_zero(in, first_of_block + threadIdx.x, n);
    __syncthreads();
    for (unsigned distance = 1; distance < block_size; distance += distance) {
        if (Tools::adds_now(threadIdx.x, distance, block_size))
            tile[threadIdx.x] += tile[threadIdx.x + distance];
        __syncthreads();
    }
    if (threadIdx.x == 0)
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
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);

    size_t how_many_blocks = n / block > 0 ? n / block : 1;
    size_t bytes_of_tile = sizeof(int) * block;

    if (how_many_blocks == 1) {
        sum_divergent_kernel<<<1, block, bytes_of_tile>>>(in, n, sum);
        return cudaGetLastError();
    }
    sum_divergent_kernel<<<(unsigned)how_many_blocks, block, bytes_of_tile>>>(in, n, scratch);
    cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
        return status;
    return sum_divergent(scratch, how_many_blocks, block, scratch + how_many_blocks, sum);
    // END TODO(2)
}
