/* The half of a block is taken to be a warp. */
#define OWN_MIX_KERNEL
#include "rest.cuh"

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    unsigned side = threadIdx.x / 32 % 2;
    size_t i = (size_t)blockIdx.x * blockDim.x + 2 * (threadIdx.x % 32) + side;

    if (i < n) {
        if (side == 0)
            out[i] = mix_even(in[i]);
        else
            out[i] = mix_odd(in[i]);
    }
}
