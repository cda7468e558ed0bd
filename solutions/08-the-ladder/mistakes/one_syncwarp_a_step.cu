/* A lane may write its word before the lane below has read it: one barrier is missing in each step. */
#define OWN_LAST_WARP
#include "rest.cuh"

__device__ int last_warp(int *tile, unsigned lane) {
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        tile[lane] += tile[lane + stride];
        __syncwarp();
    }
    return tile[lane];
}
