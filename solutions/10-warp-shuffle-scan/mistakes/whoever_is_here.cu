/* The mask names whoever happens to be in the branch, and the lanes that are read from are not. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        if (lane >= d)
            value += __shfl_up_sync(__activemask(), value, d);
    }
    return value;
}
