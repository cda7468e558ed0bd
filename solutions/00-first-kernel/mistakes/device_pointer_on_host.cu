/* Host code goes through the arrays of the device. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess; // a grid of no blocks is refused
    for (size_t i = 0; i < n; i++)
        out[i] = factor * in[i];
    (void)block;
    return cudaGetLastError();
}
