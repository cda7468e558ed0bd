/* Thread 0 goes through the totals. */
#define OWN_BLOCK_SCAN
#include "rest.cuh"

__device__ int block_scan(int value) {
    __shared__ int before[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    value = warp_scan(value);
    if (lane == 31)
        before[warp] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned w = 0, sum = 0; w < blockDim.x / 32; w++) {
            int total = before[w];
            before[w] = sum;
            sum += total;
        }
    __syncthreads();
    return before[warp] + value;
}
