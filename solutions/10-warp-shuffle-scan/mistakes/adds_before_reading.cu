/* The value goes into the shuffle once it is added to, in one statement with its guard in the distance. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2)
        value += __shfl_up_sync(ALL_LANES, value, lane >= d ? d : lane);
    return value;
}
