/* The even place alone is compared with n. */
#define OWN_MIX_KERNEL
#include "rest.cuh"

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    unsigned half = blockDim.x / 2, side = threadIdx.x / half;
    size_t even = (size_t)blockIdx.x * blockDim.x + 2 * (threadIdx.x % half), i = even + side;

    if (even < n) {
        if (side == 0)
            out[i] = mix_even(in[i]);
        else
            out[i] = mix_odd(in[i]);
    }
}
