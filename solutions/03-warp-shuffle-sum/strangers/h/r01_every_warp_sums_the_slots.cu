// Right: every warp sums the slots, the last thread stores, lanes ask for their partner by number, and kernels are launched by cudaLaunchKernel
/*
 * Lab 03: warp shuffle sum. Handout: handouts/03-warp-shuffle-sum.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the butterfly (TODO 1), the down-shift (TODO 2),
 * the sum of a block (TODO 3) and the sum of the grid (TODO 4). Each can be tested when it is
 * done.
 */
#include "shuffle_sum.h"

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_warps_all, 4,096 floats in blocks of 256: how many shuffles do all warps make together?
extern "C" const int predicted_shuffles_4096 = 640;

// sum_blocks, blocks of 96: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_96 = 20;

// The same: how many words does a block store to shared memory?
extern "C" const int predicted_shared_words_96 = 3;

// sum_blocks, blocks of 1,024: how many barriers does each warp wait at? (Lab 02: 11.)
extern "C" const int predicted_barriers_of_a_warp_1024 = 1;

// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    // A lane asks for its partner by number; the bits pass as an int.
    unsigned bits = __float_as_uint(value);
    const unsigned lane = threadIdx.x & 31u;
    for (unsigned flip = 0x10u; flip != 0; flip >>= 1)
        bits = __float_as_uint(__uint_as_float(bits) +
                               __uint_as_float(__shfl_sync(ALL_LANES, bits, (int)(lane ^ flip))));
    return __uint_as_float(bits);
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    in += (size_t)blockIdx.x * blockDim.x;
    out += (size_t)blockIdx.x * blockDim.x;
    const size_t left = n - (size_t)blockIdx.x * blockDim.x;
    const bool mine = threadIdx.x < left;
    float sum = 0.0f;
    if (mine)
        sum = in[threadIdx.x];
    sum = warp_sum_all(sum);
    if (mine)
        out[threadIdx.x] = sum;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    if (!n)
        return cudaSuccess;
    void *args[] = {&in, &n, &out};
    const dim3 grid((unsigned)((n - 1) / block + 1));
    (void)cudaLaunchKernel((const void *)sum_warps_all_kernel, grid, dim3(block), args, 0, NULL);
    return cudaGetLastError();
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    // Short steps first: after each, lane l has twice as many neighbours from l on. Lanes near the
    // end add their own value again, but lane 0 never gets to see that.
    for (unsigned have = 1; have != 32; have += have)
        value += __shfl_down_sync(ALL_LANES, value, have);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const size_t group = (size_t)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    const size_t i = (group << 5) | (threadIdx.x & 31u);
    float sum = i < n ? in[i] : 0.0f;
    sum = warp_sum_first(sum);
    switch (threadIdx.x & 31u) {
    case 0:
        if (i < n)
            out[group] = sum;
    }
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (!n)
        return cudaSuccess;
    void *args[] = {&in, &n, &out};
    const dim3 grid((unsigned)((n - 1) / block + 1));
    (void)cudaLaunchKernel((const void *)sum_warps_first_kernel, grid, dim3(block), args, 0, NULL);
    return cudaGetLastError();
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    // Every warp sums all slots, so that all threads get the sum; lane w of warp w is its scribe.
    __shared__ float slots[32];
    const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
    const float ours = warp_sum_all(value);
    if (lane == warp)
        slots[lane] = ours;
    __syncthreads();
    float theirs = 0.0f;
    if (lane < blockDim.x >> 5)
        theirs = slots[lane];
    return warp_sum_all(theirs);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t first = (size_t)blockIdx.x * block;
    const unsigned have = (unsigned)(n - first < block ? n - first : block);
    const float sum = block_sum(threadIdx.x < have ? in[first + threadIdx.x] : 0.0f);
    if (threadIdx.x + 1 == blockDim.x)
        out[blockIdx.x] = sum;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    const unsigned most = 0x7fffffffu;
    const dim3 threads((block + 31u) & ~31u);
    cudaError_t error = cudaSuccess;
    for (size_t blocks = n / block + !!(n % block); blocks && error == cudaSuccess;) {
        const unsigned now = blocks > most ? most : (unsigned)blocks;
        void *args[] = {&in, &n, &block, &out};
        (void)cudaLaunchKernel((const void *)sum_blocks_kernel, dim3(now), threads, args, 0, NULL);
        error = cudaGetLastError();
        blocks -= now;
        if (blocks) {
            in += (size_t)now * block;
            n -= (size_t)now * block;
            out += now;
        }
    }
    return error;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    // From the end to the begin, a whole grid further back each time.
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float mine = 0.0f;
    if (me < n)
        for (size_t turns = (n - 1 - me) / stride + 1; turns-- > 0;)
            mine += in[me + turns * stride];
    mine = block_sum(mine);
    if (threadIdx.x + 1 == blockDim.x)
        atomicAdd(sum, mine);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof(float), cudaStreamLegacy);
    if (error || !n)
        return error;
    size_t blocks = (n - 1) / ((size_t)block * 32) + 1;
    blocks = blocks < 2048 ? blocks : 2048;
    void *args[] = {&in, &n, &sum};
    (void)cudaLaunchKernel((const void *)sum_grid_kernel, dim3((unsigned)blocks), dim3(block), args, 0,
                           NULL);
    return cudaGetLastError();
    // END TODO(4)
}
