/* The place is counted by blocks of the grid, not by threads of a block. */
#define OWN_SCALE_KERNEL
#include "rest.cuh"

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * gridDim.x + threadIdx.x;

    if (i < n)
        out[i] = factor * in[i];
}
