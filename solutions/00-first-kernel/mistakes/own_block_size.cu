/* Blocks of 256 threads, whatever was asked for. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (n == 0)
        return cudaSuccess; // a grid of no blocks is refused
    scale_kernel<<<(unsigned)((n + 255) / 256), 256>>>(in, n, factor, out);
    return cudaGetLastError();
}
