/* The device is waited for, but a launch that was refused is no work of it. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess; // a grid of no blocks is refused
    scale_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, factor, out);
    return cudaDeviceSynchronize();
}
