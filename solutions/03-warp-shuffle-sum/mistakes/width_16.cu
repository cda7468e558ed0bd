/* The shuffle works on halves of the warp. */
#define OWN_WARP_SUM_FIRST
#include "rest.cuh"

__device__ float warp_sum_first(float value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta, 16);
    return value;
}
