/* The last warp forgets the second half of the 64 words. */
#define OWN_LAST_WARP
#include "rest.cuh"

__device__ int last_warp(int *tile, unsigned lane) {
    int mine = tile[lane];
    for (unsigned delta = 16; delta > 0; delta /= 2)
        mine += __shfl_down_sync(ALL_LANES, mine, delta);
    return mine;
}
