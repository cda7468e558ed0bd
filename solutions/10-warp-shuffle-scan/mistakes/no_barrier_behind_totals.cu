/* Nobody waits for what the first warp makes of the totals. */
#define OWN_BLOCK_SCAN
#include "rest.cuh"

__device__ int block_scan(int value) {
    __shared__ int before[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_scan(value);
    if (lane == 31)
        before[warp] = value;
    __syncthreads();

    if (warp == 0) {
        int total = lane < n_warps ? before[lane] : 0;
        before[lane] = warp_scan(total) - total;
    }
    return before[warp] + value;
}
