/* A thread has four neighbouring places of its side. */
#define OWN_MIX_KERNEL
#define OWN_MIX_BY_WARPS
#include "rest.cuh"

__global__ void mix_by_warps_kernel(const int *in, size_t n, int *out) {
    unsigned half = blockDim.x / 2, side = threadIdx.x / half;
    size_t first = 4 * (size_t)blockIdx.x * blockDim.x + 8 * (threadIdx.x % half) + side;

    for (size_t i = first; i < first + 8 && i < n; i += 2) {
        if (side == 0)
            out[i] = mix_even(in[i]);
        else
            out[i] = mix_odd(in[i]);
    }
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    if (n == 0)
        return cudaSuccess;
    size_t tile = 4 * (size_t)block;
    mix_by_warps_kernel<<<(unsigned)((n + tile - 1) / tile), block>>>(in, n, out);
    return cudaGetLastError();
}
