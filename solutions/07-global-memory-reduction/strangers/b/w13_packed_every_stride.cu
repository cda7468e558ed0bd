// Wrong: in the packed tree thread t adds in word stride * t instead of 2 * stride * t, so neighbouring threads write the words that others read, and words are counted twice.
// Kind: index
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

/* What a block has to do with: its words, and how many they are. */
struct share {
    int *word;
    unsigned count;
};

__device__ static struct share share_of_block(int *data, size_t n) {
    struct share mine;
    size_t begin = blockIdx.x;

    begin *= blockDim.x;
    mine.word = data + begin;
    mine.count = blockDim.x;
    if (n - begin < mine.count)
        mine.count = (unsigned)(n - begin);
    return mine;
}

/* Adds the word `stride` further on to word `to`, if the share has it. */
__device__ static void add_partner(struct share mine, unsigned to, unsigned stride) {
    if (to + stride < mine.count)
        mine.word[to] += mine.word[to + stride];
}

__device__ static void hand_in(struct share mine, int *partials) {
    if (threadIdx.x == 0)
        partials[blockIdx.x] = *mine.word;
}

/*
 * Neighboured pairs. Each block sums its own part of `data` where it lies: there is no tile. In the
 * step of stride s, the threads t that are multiples of 2 * s add word t + s of the part to word t.
 * One block's sum goes to partials[blockIdx.x].
 */
__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    // TODO(1): add with strides 1, 2, 4 … in place, store (about 12 lines)
    struct share mine = share_of_block(data, n);

    for (unsigned stride = 1; stride < mine.count; stride += stride) {
        if (threadIdx.x % (stride + stride) == 0)
            add_partner(mine, threadIdx.x, stride);
        __syncthreads();
    }
    hand_in(mine, partials);
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
    struct share mine = share_of_block(data, n);

    for (unsigned stride = 1; stride < mine.count; stride += stride) {
        add_partner(mine, threadIdx.x * stride, stride);
        __syncthreads();
    }
    hand_in(mine, partials);
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
    struct share mine = share_of_block(data, n);

    while (mine.count > 1) {
        unsigned stride = mine.count - mine.count / 2;

        add_partner(mine, threadIdx.x, stride);
        __syncthreads();
        mine.count = stride;
    }
    hand_in(mine, partials);
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
    size_t bytes = n * sizeof *in;
    cudaError_t status = cudaMemcpyAsync(copy, in, bytes, cudaMemcpyDeviceToDevice, 0);

    if (status == cudaSuccess)
        status = sum_in_place(sum_interleaved_kernel, copy, n, block, scratch, sum);
    return status;
    // END TODO(4)
}
