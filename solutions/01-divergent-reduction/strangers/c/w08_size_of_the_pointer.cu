// Wrong: for n = 0 the fill clears sizeof sum bytes, the size of a pointer, so it overwrites the four bytes behind *sum.
// Kind: clear store
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

template <typename T> static __device__ T load_or_zero(const T *p, size_t i, size_t n) {
    return i < n ? p[i] : T(0);
}

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
    auto t = threadIdx.x;
    tile[t] = load_or_zero(in, blockIdx.x * (size_t)blockDim.x + t, n);
    __syncthreads();

    for (auto stride = 1u; stride < blockDim.x; stride <<= 1) {
        auto other = t + stride;
        if (t % (2 * stride) == 0 && other < blockDim.x)
            tile[t] += tile[other];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[t];
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
    if (n == 0) {
        return cudaMemset(sum, 0, sizeof sum);
    }
    auto launch = [block](const int *from, size_t many, size_t blocks, int *to) {
        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(from, many, to);
        return cudaGetLastError();
    };
    for (;;) {
        auto blocks = (n + block - 1) / block;
        auto to = blocks == 1 ? sum : scratch;
        auto error = launch(in, n, blocks, to);
        if (error != cudaSuccess || blocks == 1)
            return error;
        in = to;
        n = blocks;
        scratch += blocks;
    }
    // END TODO(2)
}
