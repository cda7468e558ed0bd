/* The sum is in lane 0 alone, and all lanes take theirs. */
#define OWN_WARP_SUM_ALL
#include "rest.cuh"

__device__ float warp_sum_all(float value) {
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
}
