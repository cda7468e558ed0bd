/* Each lane asks every other lane: 31 shuffles for 5. */
#define OWN_WARP_SUM_ALL
#include "rest.cuh"

__device__ float warp_sum_all(float value) {
    float sum = value;

    for (unsigned other = 1; other < 32; other++)
        sum += __shfl_xor_sync(ALL_LANES, value, other);
    return sum;
}
