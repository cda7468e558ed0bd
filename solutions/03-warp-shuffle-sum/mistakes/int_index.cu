/* The index is computed in 32 bits. */
#define OWN_SUM_GRID_KERNEL
#include "rest.cuh"

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    enum { ITEMS = 16 };
    int first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    float mine = 0;

#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        int i = first + k * blockDim.x;
        if (i >= 0 && i < n)
            mine += in[i];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}
