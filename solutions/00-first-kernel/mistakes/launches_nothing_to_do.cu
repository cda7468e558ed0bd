/* The grid that was given is launched also where there is nothing to do. */
#define OWN_STRIDED
#include "rest.cuh"

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
