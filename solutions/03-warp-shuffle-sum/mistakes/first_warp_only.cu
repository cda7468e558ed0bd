/* The sums of the other warps are never added. */
#define OWN_BLOCK_SUM
#include "rest.cuh"

__device__ float block_sum(float value) {
    return warp_sum_first(value);
}
