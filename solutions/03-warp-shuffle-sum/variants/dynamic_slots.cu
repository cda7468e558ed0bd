/* The slots are dynamic shared memory, a word for each warp. */
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
    extern __shared__ float sums[];
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
    sum_blocks_kernel<<<(unsigned)((n + block - 1) / block), threads, threads / 32 * sizeof(float)>>>(in, n, block, out);
    return cudaGetLastError();
}

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    enum { ITEMS = 16 };
    size_t first = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    float mine = 0;

#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        size_t i = first + (size_t)k * blockDim.x;
        if (i < n)
            mine += in[i];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    const unsigned items = 16;
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);

    if (error != cudaSuccess || n == 0)
        return error;
    size_t tile = (size_t)block * items;
    sum_grid_kernel<<<(unsigned)((n + tile - 1) / tile), block, block / 32 * sizeof(float)>>>(in, n, sum);
    return cudaGetLastError();
}
