/* The mask names lane 0 alone, and all lanes shuffle. */
#define OWN_WARP_SUM_FIRST
#include "rest.cuh"

__device__ float warp_sum_first(float value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(1, value, delta);
    return value;
}
