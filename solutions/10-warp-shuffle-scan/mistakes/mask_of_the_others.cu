/* The mask names the lanes that add, but all of them come to the shuffle. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned mask = __ballot_sync(ALL_LANES, lane >= d);
        int left = __shfl_up_sync(mask, value, d);
        if (lane >= d)
            value += left;
    }
    return value;
}
