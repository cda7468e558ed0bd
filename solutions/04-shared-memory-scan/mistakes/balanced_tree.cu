/* The work-efficient scan of another lab: up the tree, and down again. */
#define OWN_SCAN_BLOCK
#include "rest.cuh"

__device__ int scan_block(int value, int *temp) {
    unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();
    unsigned size = 1;
    for (; size < blockDim.x; size *= 2) {
        unsigned i = 2 * size * (t + 1) - 1;
        if (i < blockDim.x)
            temp[i] += temp[i - size];
        __syncthreads();
    }
    for (; size > 0; size /= 2) {
        unsigned i = 2 * size * (t + 1) - 1 + size;
        if (i < blockDim.x)
            temp[i] += temp[i - size];
        __syncthreads();
    }
    return temp[t];
}
