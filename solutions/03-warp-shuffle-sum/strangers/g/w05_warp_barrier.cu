// Wrong: __syncwarp() makes the stores of shared memory visible, so that it is enough before the slots are read.
// Kind: barrier
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


static __device__ float word_or_zero(const float *from, size_t at, size_t end) {
    float word = 0.0f;
    if (at < end)
        word = from[at];
    return word;
}

static size_t pieces(size_t n, size_t size) {
    return n / size + (n % size != 0);
}

static unsigned at_most(size_t blocks, unsigned limit) {
    return blocks < limit ? (unsigned)blocks : limit;
}
// END TODO(0)

/* The sum of `value` over the 32 lanes of a warp, in each of them. All of them must call it. */
__device__ float warp_sum_all(float value) {
    // TODO(1): five exchanges with the lane whose number differs in one bit (about 3 lines)
    value += __shfl_xor_sync(ALL_LANES, value, 16);
    value += __shfl_xor_sync(ALL_LANES, value, 8);
    value += __shfl_xor_sync(ALL_LANES, value, 4);
    value += __shfl_xor_sync(ALL_LANES, value, 2);
    value += __shfl_xor_sync(ALL_LANES, value, 1);
    return value;
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    size_t grid = (size_t)gridDim.x * blockDim.x;
    for (size_t base = (size_t)blockIdx.x * blockDim.x; base < n; base += grid) {
        size_t mine = base + threadIdx.x;
        float total = warp_sum_all(word_or_zero(in, mine, n));
        if (mine < n)
            out[mine] = total;
    }
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    unsigned blocks = at_most(pieces(n, block), 1u << 24);
    if (blocks == 0)
        return cudaSuccess;
    sum_warps_all_kernel<<<blocks, block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    int delta = 32;
    while (delta >>= 1)
        value = value + __shfl_down_sync(ALL_LANES, value, delta);
    return value;
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const unsigned lane = threadIdx.x & 31, warps = blockDim.x >> 5;
    const size_t groups = n / 32 + (n % 32 != 0);
    size_t group = (size_t)blockIdx.x * warps + (threadIdx.x >> 5);
    while (group < groups) {
        float total = warp_sum_first(word_or_zero(in, 32 * group + lane, n));
        if (lane == 0)
            out[group] = total;
        group += (size_t)gridDim.x * warps;
    }
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    unsigned blocks = at_most(pieces(n, block), 1u << 24);
    if (blocks == 0)
        return cudaSuccess;
    sum_warps_first_kernel<<<blocks, block>>>(in, n, out);
    return cudaGetLastError();
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float of_warp[32];
    const unsigned lane = threadIdx.x & 31, warps = blockDim.x >> 5;

    float part = warp_sum_all(value);
    if (lane == 0)
        of_warp[threadIdx.x >> 5] = part;
    __syncwarp();
    float whole = warp_sum_all(lane < warps ? of_warp[lane] : 0.0f);
    __syncthreads();
    return whole;
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t shares = n / block + (n % block != 0);
    for (size_t share = blockIdx.x; share < shares; share += gridDim.x) {
        size_t begin = share * block;
        size_t end = n - begin < block ? n : begin + block;
        float total = block_sum(word_or_zero(in, begin + threadIdx.x, end));
        if (threadIdx.x == 0)
            out[share] = total;
    }
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    unsigned blocks = at_most(pieces(n, block), 1u << 24);
    if (blocks == 0)
        return cudaSuccess;
    unsigned warps = (unsigned)pieces(block, 32);
    sum_blocks_kernel<<<blocks, 32 * warps>>>(in, n, block, out);
    return cudaGetLastError();
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const size_t tile = 4 * (size_t)blockDim.x;
    float share = 0.0f;
    for (size_t begin = blockIdx.x * tile; begin < n; begin += gridDim.x * tile) {
        float mine = 0.0f;
        for (size_t turn = 0; turn < 4; turn++)
            mine += word_or_zero(in, begin + turn * blockDim.x + threadIdx.x, n);
        share += block_sum(mine);
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, share);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t failed = cudaMemset(sum, 0, sizeof(float));
    if (failed)
        return failed;
    unsigned blocks = at_most(pieces(n, 4 * (size_t)block), 128);
    if (blocks == 0)
        return cudaSuccess;
    sum_grid_kernel<<<blocks, block>>>(in, n, sum);
    return cudaGetLastError();
    // END TODO(4)
}
