// Wrong: the last parameter of a shuffle is the number of the last lane that takes part, 31
// Kind: width
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
    for (int bit = 1; bit < 32; bit *= 2)
        value += __shfl_xor_sync(ALL_LANES, value, bit, 31);
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float value = i < n ? in[i] : 0;
    const float sum = warp_sum_all(value);
    if (i < n)
        out[i] = sum;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    const size_t blocks = (n + block - 1) / block;
    sum_warps_all_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float value = i < n ? in[i] : 0;
    const float sum = warp_sum_first(value);
    if (i % 32 == 0 && i < n)
        out[i / 32] = sum;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    const size_t blocks = n / block + (n % block != 0);
    sum_warps_first_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float slots[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    value = warp_sum_first(value);
    if (lane == 0)
        slots[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / 32 ? slots[lane] : 0;
        value = warp_sum_first(value);
    }
    return value;
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * block + t;
    const float value = t < block && i < n ? in[i] : 0;
    const float sum = block_sum(value);
    if (t == 0)
        out[blockIdx.x] = sum;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    const unsigned threads = (block + 31) / 32 * 32;
    const size_t blocks = n / block + (n % block != 0);
    const size_t most = 0x7fffffff; // blocks of one launch
    for (size_t first = 0; first < blocks; first += most) {
        const size_t now = blocks - first < most ? blocks - first : most;
        sum_blocks_kernel<<<(unsigned)now, threads>>>(in + first * block, n - first * block, block,
                                                      out + first);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    float mine = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        mine += in[i];
    const float total = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    const cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess || n == 0)
        return error;
    const size_t share = (size_t)block * 16;
    size_t blocks = (n + share - 1) / share;
    if (blocks > 1024)
        blocks = 1024;
    sum_grid_kernel<<<(unsigned)blocks, block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(4)
}
