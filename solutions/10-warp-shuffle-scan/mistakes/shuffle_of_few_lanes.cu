/* Only as many lanes of the first warp as there are totals come to the shuffles. */
#define OWN_BLOCK_SCAN
#include "rest.cuh"

__device__ int block_scan(int value) {
    __shared__ int before[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    value = warp_scan(value);
    if (lane == 31)
        before[warp] = value;
    __syncthreads();

    if (threadIdx.x < n_warps) {
        int total = before[lane];
        before[lane] = warp_scan(total) - total;
    }
    __syncthreads();
    return before[warp] + value;
}
