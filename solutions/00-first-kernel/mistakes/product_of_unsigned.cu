/* The product of block and threads wraps around before it becomes a size_t. */
#define OWN_SCALE_KERNEL
#include "rest.cuh"

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = factor * in[i];
}
