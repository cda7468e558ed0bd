/* Odd numbers by a launch of their own; the error of the first launch is asked for behind it. */
#define OWN_MIX_BY_WARPS
#include "rest.cuh"

template <bool IS_ODD> __global__ void mix_side_kernel(const int *in, size_t n, int *out) {
    size_t i = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x) + IS_ODD;

    if (i < n)
        out[i] = IS_ODD ? mix_odd(in[i]) : mix_even(in[i]);
}

extern "C" cudaError_t mix_by_warps(const int *in, size_t n, unsigned block, int *out) {
    if (block == 0 || block % 64 != 0)
        return cudaErrorInvalidValue;

    size_t evens = (n + 1) / 2, odds = n / 2;
    if (evens > 0)
        mix_side_kernel<false><<<(unsigned)((evens + block - 1) / block), block>>>(in, n, out);
    if (odds == 0)
        return cudaSuccess;
    mix_side_kernel<true><<<(unsigned)((odds + block - 1) / block), block>>>(in, n, out);
    return cudaGetLastError();
}
