/* A refused launch is told as an error, but as another one than the device gave. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess;
    scale_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, factor, out);
    return cudaGetLastError() == cudaSuccess ? cudaSuccess : cudaErrorUnknown;
}
