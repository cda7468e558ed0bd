/* A number that is 0 is left out, since 0 times anything is 0. */
#define OWN_SCALE_KERNEL
#include "rest.cuh"

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] != 0)
        out[i] = factor * in[i];
}
