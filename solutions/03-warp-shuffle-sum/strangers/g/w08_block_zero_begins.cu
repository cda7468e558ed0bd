// Wrong: block 0 comes first, so that it stores its sum and the others add to it.
// Kind: order
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


static __device__ size_t global_thread() {
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}
// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    for (int bit = 1; bit < 32; bit *= 2)
        value += __shfl_xor_sync(ALL_LANES, value, bit);
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t me = global_thread();
    const bool have = me < n;
    float word = 0.0f;
    if (have)
        word = in[me];
    word = warp_sum_all(word);
    if (have)
        out[me] = word;
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    sum_warps_all_kernel<<<(unsigned)blocks, block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? in[i] : 0;
    float sum = warp_sum_first(mine);
    if (i < n && threadIdx.x % 32 == 0)
        out[i / 32] = sum;
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
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
    const unsigned lane = threadIdx.x % 32;
    value = warp_sum_first(value);
    if (lane == 0)
        slots[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0;
    return warp_sum_first(32 * lane < blockDim.x ? slots[lane] : 0);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    size_t i = (size_t)blockIdx.x * block + threadIdx.x;
    bool mine = threadIdx.x < block && i < n;
    float sum = block_sum(mine ? in[i] : 0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    unsigned threads = (block + 31) / 32 * 32;
    const size_t most = 1u << 30; // blocks of a launch
    for (size_t first = 0; first * block < n; first += most) {
        size_t left = n - first * block;
        size_t blocks = (left + block - 1) / block;
        if (blocks > most)
            blocks = most;
        sum_blocks_kernel<<<(unsigned)blocks, threads>>>(in + first * block, left, block,
                                                         out + first);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const float4 *quads = (const float4 *)in;
    const size_t whole = n / 4, grid = (size_t)gridDim.x * blockDim.x;
    float x = 0, y = 0, z = 0, w = 0;
    for (size_t q = global_thread(); q < whole; q += grid) {
        float4 quad = quads[q];
        x += quad.x;
        y += quad.y;
        z += quad.z;
        w += quad.w;
    }
    if (global_thread() < n % 4)
        x += in[4 * whole + threadIdx.x];
    float total = block_sum((x + y) + (z + w));
    if (threadIdx.x == 0)
    {
        if (blockIdx.x == 0)
            *sum = total;
        else
            atomicAdd(sum, total);
    }
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);
    size_t blocks = n / (16 * (size_t)block);
    blocks = blocks < 1 ? 1 : blocks > 1056 ? 1056 : blocks;
    sum_grid_kernel<<<(unsigned)blocks, block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(4)
}
