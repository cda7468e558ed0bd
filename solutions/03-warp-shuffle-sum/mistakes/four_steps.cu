/* The butterfly lacks its last step. */
#define OWN_WARP_SUM_ALL
#include "rest.cuh"

__device__ float warp_sum_all(float value) {
    for (unsigned bit = 1; bit < 16; bit *= 2)
        value += __shfl_xor_sync(ALL_LANES, value, bit);
    return value;
}
