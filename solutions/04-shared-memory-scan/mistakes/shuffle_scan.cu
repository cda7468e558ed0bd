/* The scan of another lab: shuffles within warps, and between them. */
#define OWN_SCAN_BLOCK
#include "rest.cuh"

__device__ int scan_block(int value, int *temp) {
    unsigned t = threadIdx.x;

    unsigned lane = t % 32, warp = t / 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d)
            value += left;
    }
    temp[t] = value;
    __syncthreads();
    int before = 0;
    for (unsigned w = 0; w < warp; w++)
        before += temp[32 * w + 31];
    __syncthreads();
    temp[t] += before;
    __syncthreads();
    return temp[t];
}
