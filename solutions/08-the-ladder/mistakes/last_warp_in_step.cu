/* The same without volatile. */
#define OWN_LAST_WARP
#include "rest.cuh"

__device__ int last_warp(int *tile, unsigned lane) {
    tile[lane] += tile[lane + 32];
    tile[lane] += tile[lane + 16];
    tile[lane] += tile[lane + 8];
    tile[lane] += tile[lane + 4];
    tile[lane] += tile[lane + 2];
    tile[lane] += tile[lane + 1];
    return tile[lane];
}
