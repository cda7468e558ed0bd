/* The sums go to the last lane. */
#define OWN_LAST_WARP
#include "rest.cuh"

__device__ int last_warp(int *tile, unsigned lane) {
    int mine = tile[lane] + tile[lane + 32];
    for (unsigned delta = 16; delta > 0; delta /= 2)
        mine += __shfl_up_sync(ALL_LANES, mine, delta);
    return mine;
}
