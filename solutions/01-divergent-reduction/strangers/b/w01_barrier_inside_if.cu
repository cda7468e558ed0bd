// Wrong: the barrier of a step stands in the branch of those that add, so most threads never reach it.
// Kind: barrier
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
    int *own = &tile[threadIdx.x];
    size_t start = (size_t)blockIdx.x * blockDim.x;
    unsigned count = n - start < blockDim.x ? (unsigned)(n - start) : blockDim.x;

    *own = 0;
    if (threadIdx.x < count)
        *own = in[start + threadIdx.x];
    __syncthreads();

    for (unsigned d = 1; d < blockDim.x; d += d) {
        bool adds = threadIdx.x % (d + d) == 0 && threadIdx.x + d < blockDim.x;
        if (adds) {
            *own += own[d];
            __syncthreads();
        }
    }

    if (threadIdx.x == blockDim.x - 1)
        partials[blockIdx.x] = *(own - threadIdx.x); // any thread may store
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
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess)                                                                     \
            return e_;                                                                             \
    } while (0)

    if (!n) {
        CHECK(cudaMemset(sum, 0, sizeof(int)));
        return cudaSuccess;
    }
    const int *from = in;
    int *to = scratch;
    for (size_t level = 0;; level++) {
        size_t have = levels_n(n, block, level);
        size_t leave = levels_n(n, block, level + 1);
        if (leave == 1)
            to = sum;
        sum_divergent_kernel<<<(unsigned)leave, block, block * sizeof *to>>>(from, have, to);
        CHECK(cudaGetLastError());
        if (leave == 1)
            break;
        from = to;
        to += leave;
    }
    return cudaSuccess;
#undef CHECK
    // END TODO(2)
}
