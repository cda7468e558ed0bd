/* Fewer blocks than were given are launched where fewer would do. */
#define OWN_STRIDED
#include "rest.cuh"

extern "C" cudaError_t scale_strided(const int *in, size_t n, int factor, unsigned block,
                                     unsigned blocks, int *out) {
    size_t needed = (n + block - 1) / block;

    if (n == 0)
        return cudaSuccess;
    if (needed < blocks)
        blocks = (unsigned)needed;
    scale_strided_kernel<<<blocks, block>>>(in, n, factor, out);
    return cudaGetLastError();
}
