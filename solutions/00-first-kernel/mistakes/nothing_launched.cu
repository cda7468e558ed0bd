/* The kernel is there, but never launched. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess; // a grid of no blocks is refused
    (void)in, (void)factor, (void)block, (void)out;
    return cudaGetLastError();
}
