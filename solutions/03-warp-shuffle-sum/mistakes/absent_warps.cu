/* The first warp sums 32 slots, however many warps there are. */
#define OWN_BLOCK_SUM
#include "rest.cuh"

__device__ float block_sum(float value) {
    __shared__ float sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_sum_first(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_sum_first(sums[lane]);
    return value;
}
