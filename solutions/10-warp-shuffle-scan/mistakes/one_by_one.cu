/* Each lane fetches the values of all lanes before it, one after the other. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    unsigned lane = threadIdx.x % 32;
    int sum = 0;

    for (unsigned k = 0; k < 32; k++) {
        int other = __shfl_sync(ALL_LANES, value, k);
        if (k <= lane)
            sum += other;
    }
    return sum;
}
