/* Every thread takes a number, also where there is none. */
#define OWN_SCALE_KERNEL
#include "rest.cuh"

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = factor * in[i];
}
