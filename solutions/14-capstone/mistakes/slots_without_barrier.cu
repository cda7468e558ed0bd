/* The first warp reads the slots at once. */
#define OWN_BLOCK_SUM
#include "rest.cuh"

__device__ int block_sum(int value) {
    __shared__ int sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    value = warp_sum(value);
    if (lane == 0)
        sums[warp] = value;
    if (warp == 0)
        value = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
    return value;
}
