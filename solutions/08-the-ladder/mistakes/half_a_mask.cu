/* Sixteen lanes are named, thirty-two call. */
#define OWN_LAST_WARP
#include "rest.cuh"

__device__ int last_warp(int *tile, unsigned lane) {
    int mine = tile[lane] + tile[lane + 32];
    for (unsigned delta = 16; delta > 0; delta /= 2)
        mine += __shfl_down_sync(0xffffu, mine, delta);
    return mine;
}
