/* The warp sums in shared memory. */
#define OWN_WARP_SUM_FIRST
#include "rest.cuh"

__device__ float warp_sum_first(float value) {
    __shared__ float tile[1024];
    unsigned t = threadIdx.x, lane = t % 32;

    tile[t] = value;
    __syncwarp();
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        if (lane < delta)
            tile[t] += tile[t + delta];
        __syncwarp();
    }
    return tile[t];
}
