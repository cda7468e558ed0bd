// Wrong: sum_grid returns what cudaMemset said and never asks for the error of the launch.
// Kind: error_check
/*
 * Lab 03: warp shuffle sum. Handout: handouts/03-warp-shuffle-sum.md
 *
 * Write what the TODO regions ask for, and nothing outside them. The order of work: answer the
 * predictions (TODO 0), then the butterfly (TODO 1), the down-shift (TODO 2), the sum of a block
 * (TODO 3) and the sum of the grid (TODO 4). Each can be tested when it is done.
 */
#include "shuffle_sum.h"

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted on your own kernels.
 */
// TODO(0): answer the questions (4 numbers)

// sum_warps_all: how many shuffles does a warp make?
extern "C" const int predicted_shuffles_of_a_warp = -1;

// sum_blocks, blocks of 512: how many shuffles do the warps of a block make, all together?
extern "C" const int predicted_shuffles_of_a_block_512 = -1;

// The same: how many words does a block store to shared memory?
extern "C" const int predicted_shared_words_512 = -1;

// The same: how many barriers does each warp wait at?
extern "C" const int predicted_barriers_of_a_warp = -1;

// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < 5; k++)
        value += __shfl_sync(ALL_LANES, value, lane ^ (1 << k));
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t index = threadIdx.x + blockDim.x * (size_t)blockIdx.x;
    float mine = 0;
    if (index < n)
        mine = in[index];
    mine = warp_sum_all(mine);
    if (index >= n)
        return;
    out[index] = mine;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    unsigned blocks = (unsigned)(n / block + (n % block ? 1 : 0));
    if (blocks > 0) {
        sum_warps_all_kernel<<<dim3(blocks), dim3(block)>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    float sum = value;
#pragma unroll
    for (int k = 4; k >= 0; --k) {
        const float further = __shfl_down_sync(ALL_LANES, sum, 1 << k);
        sum += further;
    }
    return sum;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const size_t group = (size_t)blockIdx.x * warps + warp;
    const size_t i = group * 32 + lane;
    float v = 0.f;
    if (i < n)
        v = in[i];
    v = warp_sum_first(v);
    if (lane == 0 && group < (n + 31) / 32)
        out[i / 32] = v;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    sum_warps_first_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float slots[32];
    if (threadIdx.x < 32)
        slots[threadIdx.x] = 0;
    __syncthreads();
    value = warp_sum_first(value);
    if (threadIdx.x % 32 == 0)
        slots[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0;
    return warp_sum_first(slots[threadIdx.x]);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    size_t start = (size_t)blockIdx.x * block;
    size_t count = n - start < block ? n - start : block;
    float v = block_sum(threadIdx.x < count ? in[start + threadIdx.x] : 0.f);
    if (!threadIdx.x)
        out[blockIdx.x] = v;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): launch whole warps (about 5 lines)
    const unsigned blocks = (unsigned)(n / block + (n % block != 0));
    if (blocks > 0) {
        const unsigned warps = block / 32 + (block % 32 > 0);
        sum_blocks_kernel<<<blocks, 32 * warps>>>(in, n, block, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const unsigned each = 8;
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * each;
    float mine = 0;
    for (size_t i = first; i < first + each && i < n; i++)
        mine += in[i];
    mine = block_sum(mine);
    if (!threadIdx.x)
        atomicAdd(sum, mine);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error == cudaSuccess && n > 0) {
        const size_t tile = (size_t)block * 8;
        sum_grid_kernel<<<(unsigned)(n / tile + (n % tile != 0)), block>>>(in, n, sum);
    }
    return error;
    // END TODO(4)
}
