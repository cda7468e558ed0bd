/* The mask names 16 lanes. */
#define OWN_WARP_SUM_ALL
#include "rest.cuh"

__device__ float warp_sum_all(float value) {
    for (unsigned bit = 1; bit < 32; bit *= 2)
        value += __shfl_xor_sync(0xffff, value, bit);
    return value;
}
