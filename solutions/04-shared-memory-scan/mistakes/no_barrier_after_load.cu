/* Two barriers in each step, but none between the first store and the first step. */
#define OWN_SCAN_BLOCK
#include "rest.cuh"

__device__ int scan_block(int value, int *temp) {
    unsigned t = threadIdx.x;

    temp[t] = value;

    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        temp[t] += left;
        __syncthreads();
    }
    return temp[t];
}
