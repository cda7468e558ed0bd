/* Only the lanes that have something to add come to the shuffle. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        if (lane >= d)
            value += __shfl_up_sync(ALL_LANES, value, d);
    }
    return value;
}
