/* The even places are mixed as the odd ones should be, and the other way round. */
#define OWN_MIX_KERNEL
#include "rest.cuh"

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    unsigned half = blockDim.x / 2, side = threadIdx.x / half;
    size_t i = (size_t)blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + side;

    if (i < n) {
        if (side == 1)
            out[i] = mix_even(in[i]);
        else
            out[i] = mix_odd(in[i]);
    }
}
