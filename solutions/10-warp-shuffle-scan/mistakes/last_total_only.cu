/* Each warp adds the total of the warp before it; nobody scans the totals. */
#define OWN_BLOCK_SCAN
#include "rest.cuh"

__device__ int block_scan(int value) {
    __shared__ int totals[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    value = warp_scan(value);
    if (lane == 31)
        totals[warp] = value;
    __syncthreads();
    return value + (warp > 0 ? totals[warp - 1] : 0);
}
