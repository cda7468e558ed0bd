/* The number of a thread is an int. */
#define OWN_SCALE_KERNEL
#include "rest.cuh"

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = factor * in[i];
}
