// Wrong: the partner is compared with n instead of the end of the block's own part, so threads near the end of a part read words of the next block, which that block changes at the same time.
// Kind: bound
/*
 * Lab 07: reduction in global memory. Handout: handouts/07-global-memory-reduction.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), write the three trees (TODO 1 to 3), then the sum that
 * leaves its input alone (TODO 4).
 */
#include "sum_in_place.cuh"

/*
 * Predictions, before you run anything. They are about full blocks; -1 means "not answered". They
 * cost no points: the grader sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_neighboured in a block of 256 threads: how often do its warps diverge at the `if` in the loop?
extern "C" const int predicted_divergent_branches_256 = -1;

// sum_packed in a block of 256 threads: how many sectors of 32 bytes do the stores of the tree touch,
// all warps and steps together? (Counted for each warp and step anew.)
extern "C" const int predicted_packed_sectors_256 = -1;

// The same for sum_interleaved.
extern "C" const int predicted_interleaved_sectors_256 = -1;

// sum_interleaved of 5, -2, 7, 4 in one block of 4 threads gives 14. Called a second time, on what
// the first call left in data, what does it give?
extern "C" const int predicted_second_sum = -1;

// END TODO(0)

/*
 * Neighboured pairs. Each block sums its own part of `data` where it lies: there is no tile. In the
 * step of stride s, the threads t that are multiples of 2 * s add word t + s of the part to word t.
 * One block's sum goes to partials[blockIdx.x].
 */
__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    // TODO(1): add with strides 1, 2, 4 … in place, store (about 12 lines)
    const size_t begin = (size_t)blockIdx.x * blockDim.x;
    const size_t end = min(begin + blockDim.x, n);
    const size_t mine = begin + threadIdx.x;

    for (unsigned s = 1; begin + s < end; s <<= 1) {
        const unsigned mask = 2 * s - 1;

        if ((threadIdx.x & mask) == 0 && mine + s < n)
            data[mine] = data[mine] + data[mine + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[begin];
    // END TODO(1)
}

extern "C" cudaError_t sum_neighboured(int *data, size_t n, unsigned block, int *scratch,
                                       int *sum) {
    // TODO(1): hand the kernel to sum_in_place (1 line)
    return sum_in_place(sum_neighboured_kernel, data, n, block, scratch, sum);
    // END TODO(1)
}

/*
 * Neighboured pairs with less divergence: the same words are added to the same words, but thread t
 * makes the t-th addition of each step.
 */
__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
    // TODO(2): add with strides 1, 2, 4 … at word 2 * stride * t, store (about 13 lines)
    const size_t begin = (size_t)blockIdx.x * blockDim.x;
    const size_t end = min(begin + blockDim.x, n);

    for (unsigned s = 1; begin + s < end; s <<= 1) {
        const size_t left = begin + 2 * s * threadIdx.x;
        const size_t right = left + s;

        if (right < n)
            data[left] = data[left] + data[right];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[begin];
    // END TODO(2)
}

extern "C" cudaError_t sum_packed(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    // TODO(2): hand the kernel to sum_in_place (1 line)
    return sum_in_place(sum_packed_kernel, data, n, block, scratch, sum);
    // END TODO(2)
}

/*
 * Interleaved pairs: the first half of the words takes the second half, then the first quarter the
 * second quarter; and so on.
 */
__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    // TODO(3): add with a stride that halves, store (about 13 lines)
    const size_t begin = (size_t)blockIdx.x * blockDim.x;
    size_t end = min(begin + blockDim.x, n);
    const size_t mine = begin + threadIdx.x;

    for (size_t half; end - begin > 1; end = begin + half) {
        half = (end - begin + 1) >> 1;
        if (mine + half < n)
            data[mine] = data[mine] + data[mine + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = data[begin];
    // END TODO(3)
}

extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch,
                                       int *sum) {
    // TODO(3): hand the kernel to sum_in_place (1 line)
    return sum_in_place(sum_interleaved_kernel, data, n, block, scratch, sum);
    // END TODO(3)
}

/* The sum of ints that the caller still needs. */
extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    // TODO(4): copy the ints within the device, and sum the copy (about 4 lines)
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n > 0) {
        cudaError_t e = cudaMemcpy(copy, in, sizeof(int) * n, cudaMemcpyDeviceToDevice);
        if (e != cudaSuccess)
            return e;
    }
    return sum_in_place(sum_interleaved_kernel, copy, n, block, scratch, sum);
    // END TODO(4)
}
