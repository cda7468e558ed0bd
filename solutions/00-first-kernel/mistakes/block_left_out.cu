/* A thread looks at its place in the block alone. */
#define OWN_SCALE_KERNEL
#include "rest.cuh"

__global__ void scale_kernel(const int *in, size_t n, int factor, int *out) {
    size_t i = threadIdx.x;

    if (i < n)
        out[i] = factor * in[i];
}
