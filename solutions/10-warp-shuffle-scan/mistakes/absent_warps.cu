/* The first warp scans 32 words, whether the block has 32 warps or not. */
#define OWN_BLOCK_SCAN
#include "rest.cuh"

__device__ int block_scan(int value) {
    __shared__ int before[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    value = warp_scan(value);
    if (lane == 31)
        before[warp] = value;
    __syncthreads();

    if (warp == 0) {
        int total = before[lane];
        before[lane] = warp_scan(total) - total;
    }
    __syncthreads();
    return before[warp] + value;
}
