/* Threads behind the end mix, too. */
#define OWN_MIX_KERNEL
#include "rest.cuh"

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    unsigned half = blockDim.x / 2, side = threadIdx.x / half;
    size_t i = (size_t)blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + side;

    if (side == 0)
        out[i] = mix_even(in[i]);
    else
        out[i] = mix_odd(in[i]);
}
