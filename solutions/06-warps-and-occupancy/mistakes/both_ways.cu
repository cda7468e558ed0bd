/* Each number is mixed in both ways, and one result is taken. */
#define OWN_MIX_KERNEL
#include "rest.cuh"

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int even = mix_even(in[i]), odd = mix_odd(in[i]), keep = -(int)(i % 2);

        out[i] = (even & ~keep) | (odd & keep);
    }
}
