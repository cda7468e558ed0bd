/* The block is asked for before n, so that an empty array is refused. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    if (block > 1024)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaSuccess;
    scale_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, factor, out);
    return cudaGetLastError();
}
