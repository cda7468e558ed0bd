/* The shuffles begin at 8. */
#define OWN_WARP_SUM
#include "rest.cuh"

__device__ int warp_sum(int value) {
    for (unsigned delta = 8; delta > 0; delta /= 2)
        value += __shfl_down_sync(ALL_LANES, value, delta);
    return value;
}
