/* The values move down, so each lane sums what lies behind it. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_down_sync(ALL_LANES, value, d);
        if (lane + d < 32)
            value += left;
    }
    return value;
}
