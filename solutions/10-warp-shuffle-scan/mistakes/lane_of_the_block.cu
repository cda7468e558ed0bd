/* The lane is taken to be the thread in the block. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x;

    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL_LANES, value, d);
        if (lane >= d)
            value += left;
    }
    return value;
}
