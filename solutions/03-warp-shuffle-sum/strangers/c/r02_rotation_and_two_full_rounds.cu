// Right: the sum for lane 0 turns the warp round like a wheel (the lane further on, round the end), all warps make the block's second round, the grid's threads keep two running sums of float2 loads.
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

static __device__ __forceinline__ float sum_at(const float2 *pairs, size_t p) {
    const float2 both = __ldg(pairs + p);
    return both.x + both.y;
}

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_warps_all: how many shuffles does a warp make?
extern "C" const int predicted_shuffles_of_a_warp = 5;

// sum_blocks, blocks of 512: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_512 = 85;

// The same: how many words does a block store to shared memory?
extern "C" const int predicted_shared_words_512 = 16;

// The same: how many barriers does each warp wait at?
extern "C" const int predicted_barriers_of_a_warp = 1;

// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    // from the neighbour outwards; the result does not depend on it
    for (unsigned bit = 1; bit != 32; bit += bit)
        value += __shfl_xor_sync(ALL_LANES, value, bit, warpSize);
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t group = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const size_t i = group * 32 + threadIdx.x % 32;
    float value = 0;
    if (i < n)
        value = in[i];
    value = warp_sum_all(value);
    if (!(i < n))
        return;
    out[i] = value;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    size_t blocks = n / block;
    blocks += blocks * block < n;
    if (blocks > 0)
        sum_warps_all_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return blocks > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    const unsigned lane = threadIdx.x & 31;
    for (unsigned far = 16; far != 0; far /= 2)
        value += __shfl_sync(ALL_LANES, value, (lane + far) & 31);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
    const size_t group = (size_t)blockIdx.x * warps + warp;
    const size_t i = group * 32 + threadIdx.x % 32;
    const float value = warp_sum_first(i < n ? in[i] : 0);
    if (i < n && threadIdx.x % 32 == 0)
        out[group] = value;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    size_t blocks = n / block;
    blocks += blocks * block < n;
    if (blocks > 0)
        sum_warps_first_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return blocks > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float sums[32];
    const unsigned warps = blockDim.x / 32;

    value = warp_sum_first(value);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    // every warp learns the block's sum, thread 0 among them
    return warp_sum_all(threadIdx.x % 32 < warps ? sums[threadIdx.x % 32] : 0);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    float value = 0;
    if (threadIdx.x < block) {
        const size_t i = (size_t)blockIdx.x * block + threadIdx.x;
        if (i < n)
            value = in[i];
    }
    value = block_sum(value);
    if (threadIdx.x == 0)
        out[blockIdx.x] = value;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    size_t blocks = n / block;
    blocks += blocks * block < n;
    if (blocks == 0)
        return cudaSuccess;
    unsigned threads = block;
    while (threads % 32 != 0)
        ++threads;
    sum_blocks_kernel<<<(unsigned)blocks, threads>>>(in, n, block, out);
    return cudaGetLastError();
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const float2 *const pairs = (const float2 *)in;
    const size_t count = n / 2;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    float even = 0, odd = 0;
    if (p == 0 && n % 2 != 0)
        odd = in[n - 1];
    for (; p + threads < count; p += 2 * threads) {
        even += sum_at(pairs, p);
        odd += sum_at(pairs, p + threads);
    }
    if (p < count)
        even += sum_at(pairs, p);
    const float value = block_sum(even + odd);
    if (threadIdx.x == 0)
        atomicAdd(sum, value);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof(float), 0);
    if (error == cudaSuccess && n != 0) {
        const size_t blocks = (n - 1) / ((size_t)24 * block) + 1;
        sum_grid_kernel<<<(unsigned)blocks, block>>>(in, n, sum);
        error = cudaGetLastError();
    }
    return error;
    // END TODO(4)
}
