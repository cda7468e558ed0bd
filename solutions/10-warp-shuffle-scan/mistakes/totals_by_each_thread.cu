/* Each thread adds up the totals of all warps before its own. */
#define OWN_BLOCK_SCAN
#include "rest.cuh"

__device__ int block_scan(int value) {
    __shared__ int totals[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    value = warp_scan(value);
    if (lane == 31)
        totals[warp] = value;
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        value += totals[w];
    return value;
}
