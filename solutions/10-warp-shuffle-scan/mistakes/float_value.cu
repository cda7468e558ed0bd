/* The values go through the shuffles as floats. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;
    float sum = value;

    for (unsigned d = 1; d < 32; d *= 2) {
        float left = __shfl_up_sync(ALL_LANES, sum, d);
        if (lane >= d)
            sum += left;
    }
    return (int)sum;
}
