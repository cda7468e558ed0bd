/* The place is an int. */
#define OWN_MIX_KERNEL
#include "rest.cuh"

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    int half = blockDim.x / 2, side = threadIdx.x / half;
    int i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + side;

    if (i < n) {
        if (side == 0)
            out[i] = mix_even(in[i]);
        else
            out[i] = mix_odd(in[i]);
    }
}
