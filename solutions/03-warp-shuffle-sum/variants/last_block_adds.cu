/* Each block stores its sum, and the one that draws the last ticket adds them up. */
#include "shuffle_sum.h"

#define ALL_LANES 0xffffffffu

__device__ float warp_sum_all(float value) {
    for (unsigned bit = 1; bit < 32; bit *= 2)
        value += __shfl_xor_sync(ALL_LANES, value, bit);
    return value;
}

__global__ void sum_warps_all_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    float sum = warp_sum_all(i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
}

extern "C" cudaError_t sum_warps_all(const float *in, size_t n, unsigned block, float *out) {
    if (n == 0)
        return cudaSuccess;
    sum_warps_all_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}

__device__ float warp_sum_first(float value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
}

__global__ void sum_warps_first_kernel(const float *in, size_t n, float *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    float sum = warp_sum_first(i < n ? in[i] : 0);
    if (i < n && threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}

extern "C" cudaError_t sum_warps_first(const float *in, size_t n, unsigned block, float *out) {
    if (n == 0)
        return cudaSuccess;
    sum_warps_first_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}

__device__ float block_sum(float value) {
    __shared__ float sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_sum_first(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_sum_first(lane < n_warps ? sums[lane] : 0);
    return value;
}

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * block + t;

    float sum = block_sum(t < block && i < n ? in[i] : 0);
    if (t == 0)
        out[blockIdx.x] = sum;
}

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    unsigned threads = (block + 31) / 32 * 32;

    if (n == 0)
        return cudaSuccess;
    sum_blocks_kernel<<<(unsigned)((n + block - 1) / block), threads>>>(in, n, block, out);
    return cudaGetLastError();
}

enum { MOST_BLOCKS = 1024 };
__device__ float block_sums[MOST_BLOCKS];
__device__ unsigned tickets;

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    __shared__ bool is_last;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float mine = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        mine += in[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = mine;
        __threadfence();
        is_last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    mine = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        mine += *(volatile float *)&block_sums[b];
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        *sum = mine;
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (n == 0)
        return cudaMemsetAsync(sum, 0, sizeof *sum);
    size_t tile = (size_t)block * 16, tiles = (n + tile - 1) / tile;
    sum_grid_kernel<<<(unsigned)(tiles < MOST_BLOCKS ? tiles : MOST_BLOCKS), block>>>(in, n, sum);
    return cudaGetLastError();
}
