/* No barrier between the warps' sums and their reader. */
#define OWN_BLOCK_SUM
#include "rest.cuh"

__device__ float block_sum(float value) {
    __shared__ float sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_sum_first(value);
    if (lane == 0)
        sums[warp] = value;
    if (warp == 0)
        value = warp_sum_first(lane < n_warps ? sums[lane] : 0);
    return value;
}
