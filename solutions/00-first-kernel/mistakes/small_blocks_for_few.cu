/* Fewer numbers than a block has threads: the block is made smaller. */
#define OWN_SCALE
#include "rest.cuh"

extern "C" cudaError_t scale(const int *in, size_t n, int factor, unsigned block, int *out) {
    unsigned threads = n < block ? (unsigned)n : block;

    if (n == 0)
        return cudaSuccess;
    scale_kernel<<<(unsigned)((n + threads - 1) / threads), threads>>>(in, n, factor, out);
    return cudaGetLastError();
}
