/* The step of the largest blocks is forgotten. */
#define OWN_BLOCK_SUM
#include "rest.cuh"

template <unsigned BLOCK> __device__ int block_sum(int *tile, int mine) {
    unsigned t = threadIdx.x;

    tile[t] = mine;
    __syncthreads();
    if (BLOCK >= 512) {
        if (t < 256)
            tile[t] += tile[t + 256];
        __syncthreads();
    }
    if (BLOCK >= 256) {
        if (t < 128)
            tile[t] += tile[t + 128];
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (t < 64)
            tile[t] += tile[t + 64];
        __syncthreads();
    }
    return t < 32 ? last_warp(tile, t) : 0;
}
