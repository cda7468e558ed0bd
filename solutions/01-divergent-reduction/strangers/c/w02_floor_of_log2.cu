// Wrong: the number of steps is log2 of the block rounded down, so a block that is no power of two stops one step early and loses the words from its largest power of two on.
// Kind: bound
/*
 * Lab 01: divergent reduction. Handout: handouts/01-divergent-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order:
 * the predictions (TODO 0), the kernel (TODO 1), then the function that launches it (TODO 2).
 */
#include "sum_divergent.h"

/* How many times must a block of `threads` words be halved until one is left? */
static __device__ int steps_of(unsigned threads) {
    return 31 - __clz(threads);
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
    extern __shared__ int words[];
    int *const own = words + threadIdx.x;
    const size_t at = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    *own = 0;
    if (at < n)
        *own = in[at];
    __syncthreads();

    const int steps = steps_of(blockDim.x);
    for (int k = 0; k < steps; ++k) {
        const unsigned stride = 1u << k;
        if ((threadIdx.x & (2 * stride - 1)) == 0 && threadIdx.x + stride < blockDim.x)
            *own += own[stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *own;
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
    if (!n)
        return cudaMemset(sum, 0, sizeof *sum);

    cudaError_t status = cudaSuccess;
    size_t left = n;
    do {
        const size_t groups = (left - 1) / block + 1;
        int *const target = groups > 1 ? scratch : sum;
        sum_divergent_kernel<<<dim3((unsigned)groups), dim3(block), block * sizeof *sum>>>(
            in, left, target);
        status = cudaGetLastError();
        in = target;
        scratch = target + groups;
        left = groups;
    } while (status == cudaSuccess && left > 1);
    return status;
    // END TODO(2)
}
