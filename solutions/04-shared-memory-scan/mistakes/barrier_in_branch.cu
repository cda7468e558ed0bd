/* Only the threads that add wait. */
#define OWN_SCAN_BLOCK
#include "rest.cuh"

__device__ int scan_block(int value, int *temp) {
    unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();

    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        if (t >= d) {
            int left = temp[t - d];
            __syncthreads();
            temp[t] += left;
        }
        __syncthreads();
    }
    return temp[t];
}
