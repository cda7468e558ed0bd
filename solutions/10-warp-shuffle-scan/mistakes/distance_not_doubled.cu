/* The distance grows by one, as if each step knew one value only. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d++) {
        int left = __shfl_up_sync(ALL_LANES, value, d);
        if (lane >= d)
            value += left;
    }
    return value;
}
