/* The four ints of a lane are moved on by one, so that none has itself in its sum. */
#define OWN_SCAN_TILE
#include "rest.cuh"

__device__ int scan_tile(int4 items[VECS]) {
    __shared__ int totals[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sums[VECS], carry = 0;

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        items[k].y += items[k].x;
        items[k].z += items[k].y;
        items[k].w += items[k].z;
        int up_to = warp_scan(items[k].w);
        sums[k] = carry + up_to - items[k].w;
        carry += __shfl_sync(ALL_LANES, up_to, 31);
    }
    if (lane == 0)
        totals[warp] = carry;
    __syncthreads();
    int up_to = warp_scan(lane < SCAN_BLOCK / 32 ? totals[lane] : 0);
    int before = __shfl_sync(ALL_LANES, up_to, warp) - carry;
#pragma unroll
    for (int k = 0; k < VECS; k++) {
        int more = before + sums[k];
        items[k] = make_int4(more, items[k].x + more, items[k].y + more, items[k].z + more);
    }
    return __shfl_sync(ALL_LANES, up_to, 31);
}
