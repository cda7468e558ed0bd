/* The block scan of lab 04. */
#define OWN_BLOCK_SCAN
#include "rest.cuh"

__device__ int block_scan(int value) {
    __shared__ int temp[1024];
    unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        value += left;
        temp[t] = value;
        __syncthreads();
    }
    return value;
}
