// Wrong: where fewer ints are left than `block`, only that many threads are launched, so blocks do not have `block` threads, and a block of 1025 is not refused but returns cudaSuccess when n is small.
// Kind: launch
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
    extern __shared__ int tile[];
    const size_t start = (size_t)blockDim.x * blockIdx.x;
    const bool have = start + threadIdx.x < n;
    tile[threadIdx.x] = have ? in[start + threadIdx.x] : 0;
    __syncthreads();
#pragma unroll 1
    for (int stride = 1; stride < (int)blockDim.x; stride += stride) {
        if (threadIdx.x % (2 * stride) == 0 && threadIdx.x + stride < blockDim.x)
            tile[threadIdx.x] += tile[threadIdx.x + stride];
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

    size_t count = n;
    const int *data = in;
    int *free_words = scratch;
    bool done = false;
    while (!done) {
        const size_t blocks = (count + block - 1) / block;
        const unsigned threads = count < block ? (unsigned)count : block; // none to spare
        done = blocks == 1;
        int *result = done ? sum : free_words;

        sum_divergent_kernel<<<(unsigned)blocks, threads, threads * sizeof(int)>>>(data, count,
                                                                                  result);
        const cudaError_t refused = cudaGetLastError();
        if (refused != cudaSuccess)
            return refused;
        data = result;
        free_words += blocks;
        count = blocks;
    }
    return cudaSuccess;
    // END TODO(2)
}
