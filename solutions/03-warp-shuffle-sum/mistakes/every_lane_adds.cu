/* All lanes of the first warp have the sum, and all of them add it. */
#define OWN_BLOCK_SUM
#define OWN_SUM_GRID_KERNEL
#include "rest.cuh"

__device__ float block_sum(float value) {
    __shared__ float sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_sum_first(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_sum_all(lane < n_warps ? sums[lane] : 0);
    return value;
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
    if (threadIdx.x < 32)
        atomicAdd(sum, mine);
}
