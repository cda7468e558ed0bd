/* The values go up, not down: they end in lane 31. */
#define OWN_WARP_SUM_FIRST
#include "rest.cuh"

__device__ float warp_sum_first(float value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_up_sync(ALL_LANES, value, delta);
    return value;
}
