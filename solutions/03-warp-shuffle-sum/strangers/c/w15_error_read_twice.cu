// Wrong: sum_blocks asks cudaGetLastError whether there was an error and then again which one, but the first question has cleared it: a refused launch returns cudaSuccess.
// Kind: error
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
#pragma unroll
    for (unsigned k = 0; k < 5; k++) {
        float other = __shfl_xor_sync(ALL_LANES, value, 1u << k);
        value = value + other;
    }
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    size_t index = blockDim.x;
    index = index * blockIdx.x + threadIdx.x;
    float mine = 0.0f;
    if (index < n)
        mine = in[index];
    mine = warp_sum_all(mine);
    if (index < n)
        out[index] = mine;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    const size_t groups = n / block + (n % block != 0);
    if (groups) {
        sum_warps_all_kernel<<<dim3((unsigned)groups), dim3(block)>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    value += __shfl_down_sync(ALL_LANES, value, 16);
    value += __shfl_down_sync(ALL_LANES, value, 8);
    value += __shfl_down_sync(ALL_LANES, value, 4);
    value += __shfl_down_sync(ALL_LANES, value, 2);
    value += __shfl_down_sync(ALL_LANES, value, 1);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    size_t index = blockDim.x;
    index = index * blockIdx.x + threadIdx.x;
    float mine = 0.0f;
    if (index < n)
        mine = in[index];
    mine = warp_sum_first(mine);
    if ((threadIdx.x & 31) == 0 && index < n)
        out[index >> 5] = mine;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    const size_t groups = n / block + (n % block != 0);
    if (groups) {
        sum_warps_first_kernel<<<dim3((unsigned)groups), dim3(block)>>>(in, n, out);
        return cudaGetLastError();
    }
    return cudaSuccess;
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float of_warp[32];
    const int warps = blockDim.x >> 5;

    const float partial = warp_sum_all(value);
    if ((threadIdx.x & 31) == 0)
        of_warp[threadIdx.x >> 5] = partial;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0.0f;
    return warp_sum_all((int)threadIdx.x < warps ? of_warp[threadIdx.x] : 0.0f);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t first = size_t(block) * blockIdx.x;
    const size_t left = n - first < block ? n - first : block;
    float v = 0.0f;
    if (threadIdx.x < left)
        v = in[first + threadIdx.x];
    v = block_sum(v);
    if (!threadIdx.x)
        out[blockIdx.x] = v;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    if (n == 0)
        return cudaSuccess;
    const unsigned threads = (block / 32 + (block % 32 != 0)) * 32;
    const size_t blocks = (n - 1) / block + 1;
    sum_blocks_kernel<<<(unsigned)blocks, threads>>>(in, n, block, out);
    if (cudaGetLastError() != cudaSuccess)
        return cudaGetLastError();
    return cudaSuccess;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const float4 *quads = reinterpret_cast<const float4 *>(in);
    const size_t many = n / 4;
    const size_t self = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t all = size_t(gridDim.x) * blockDim.x;

    float v = 0.0f;
    for (size_t q = self; q < many; q += all) {
        const float4 four = quads[q];
        v += (four.x + four.y) + (four.z + four.w);
    }
    if (self < n % 4)
        v += in[4 * many + self];
    v = block_sum(v);
    if (!threadIdx.x)
        atomicAdd(sum, v);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t e = cudaMemset(sum, 0, sizeof(float));
    if (e != cudaSuccess)
        return e;
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n / 16 + block) / block;
    if (blocks > 4096)
        blocks = 4096;
    sum_grid_kernel<<<(unsigned)blocks, block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(4)
}
