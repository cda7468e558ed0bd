/* Every thread adds its own part to *sum. */
#define OWN_SUM_GRID_KERNEL
#include "rest.cuh"

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    enum { ITEMS = 16 };
    size_t first = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    float mine = 0;

#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        size_t i = first + (size_t)k * blockDim.x;
        if (i < n)
            mine += in[i];
    }
    atomicAdd(sum, mine);
}
