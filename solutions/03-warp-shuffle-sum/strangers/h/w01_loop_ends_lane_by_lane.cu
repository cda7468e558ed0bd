// Wrong: the loop over the grid may end for each lane on its own, as lanes past the end only skip a load and a store
// Kind: loop
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
    value += __shfl_xor_sync(ALL_LANES, value, 16);
    value += __shfl_xor_sync(ALL_LANES, value, 8);
    value += __shfl_xor_sync(ALL_LANES, value, 4);
    value += __shfl_xor_sync(ALL_LANES, value, 2);
    return value + __shfl_xor_sync(ALL_LANES, value, 1);
    // END TODO(1)
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    // TODO(1): load, sum, store; lanes past the end have a part, too (about 5 lines)
    const size_t grid = (size_t)blockDim.x * gridDim.x;
    size_t at = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    while (at < n) {
        const float group = warp_sum_all(in[at]);
        out[at] = group;
        at += grid;
    }
    // END TODO(1)
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(1): launch blocks for n elements; there may be none (about 4 lines)
    size_t tiles = n / block;
    if (tiles * block < n)
        tiles++;
    if (tiles > 0)
        sum_warps_all_kernel<<<(unsigned)(tiles > 65536 ? 65536 : tiles), block>>>(in, n, out);
    return tiles > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(1)
}

/* The same sum, in lane 0 alone; what the other lanes get is of no use. All of them must call it. */
__device__ float warp_sum_first(float value) {
    // TODO(2): five exchanges with a lane further down (about 3 lines)
    value += __shfl_down_sync(ALL_LANES, value, 16);
    value += __shfl_down_sync(ALL_LANES, value, 8);
    value += __shfl_down_sync(ALL_LANES, value, 4);
    value += __shfl_down_sync(ALL_LANES, value, 2);
    return value + __shfl_down_sync(ALL_LANES, value, 1);
    // END TODO(2)
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    // TODO(2): as before, but one lane stores (about 6 lines)
    const size_t groups = n / 32 + (n % 32 ? 1 : 0);
    const size_t warps = (size_t)gridDim.x * (blockDim.x / 32);
    const unsigned lane = threadIdx.x & 31;
    size_t g = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    while (g < groups) {
        float x = 0.0f;
        if (32 * g + lane < n)
            x = in[32 * g + lane];
        x = warp_sum_first(x);
        if (lane == 0)
            out[g] = x;
        g += warps;
    }
    // END TODO(2)
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(2): launch (about 4 lines)
    size_t tiles = n / block;
    if (tiles * block < n)
        tiles++;
    if (tiles > 0)
        sum_warps_first_kernel<<<(unsigned)(tiles > 65536 ? 65536 : tiles), block>>>(in, n, out);
    return tiles > 0 ? cudaGetLastError() : cudaSuccess;
    // END TODO(2)
}

/* The sum of `value` over the threads of a block, in thread 0. All of them must call it, whole warps
 * of them. */
__device__ float block_sum(float value) {
    // TODO(3): each warp sums, then the first warp sums the warps' sums (about 10 lines)
    __shared__ float of_warp[32];
    const unsigned warps = blockDim.x / 32;
    const float s = warp_sum_all(value);
    if ((threadIdx.x & 31) == 0)
        of_warp[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0.0f;
    return warp_sum_first(threadIdx.x < warps ? of_warp[threadIdx.x] : 0.0f);
    // END TODO(3)
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    // TODO(3): load, sum, store; blockDim.x may be more than `block` (about 6 lines)
    const size_t from = (size_t)blockIdx.x * block;
    const size_t to = n - from < block ? n : from + block;
    float x = 0.0f;
    if (from + threadIdx.x < to)
        x = in[from + threadIdx.x];
    x = block_sum(x);
    if (threadIdx.x == 0)
        out[blockIdx.x] = x;
    // END TODO(3)
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    if (block == 0)
        return cudaErrorInvalidValue;

    // TODO(3): launch whole warps (about 5 lines)
    const unsigned warps = block / 32 + (block % 32 ? 1 : 0);
    size_t tiles = n / block;
    if (tiles * block < n)
        tiles++;
    cudaError_t state = cudaSuccess;
    while (tiles > 0 && state == cudaSuccess) {
        const unsigned part = tiles > (1u << 30) ? 1u << 30 : (unsigned)tiles;
        sum_blocks_kernel<<<part, 32 * warps>>>(in, n, block, out);
        state = cudaGetLastError();
        if (tiles > part) {
            in += (size_t)part * block;
            n -= (size_t)part * block;
        }
        out += part;
        tiles -= part;
    }
    return state;
    // END TODO(3)
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    // TODO(4): sum several elements a thread, then the block, then add to *sum (about 10 lines)
    const size_t tile = (size_t)blockDim.x * 16;
    float total = 0.0f;
    for (size_t from = blockIdx.x * tile; from < n; from += gridDim.x * tile) {
        float mine = 0.0f;
        for (unsigned e = threadIdx.x; e < tile; e += blockDim.x)
            mine += from + e < n ? in[from + e] : 0.0f;
        total += block_sum(mine);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
    // END TODO(4)
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (block == 0 || block % 32 != 0)
        return cudaErrorInvalidValue;

    // TODO(4): *sum holds anything when the call starts; launch (about 7 lines)
    cudaError_t state = cudaMemsetAsync(sum, 0, sizeof(float));
    if (state == cudaSuccess && n > 0) {
        const size_t tiles = (n - 1) / (16 * (size_t)block) + 1;
        sum_grid_kernel<<<tiles < 128 ? (unsigned)tiles : 128u, block>>>(in, n, sum);
        state = cudaGetLastError();
    }
    return state;
    // END TODO(4)
}
