/* The down-shift starts with 8. */
#define OWN_WARP_SUM_FIRST
#include "rest.cuh"

__device__ float warp_sum_first(float value) {
    for (unsigned delta = 8; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
}
