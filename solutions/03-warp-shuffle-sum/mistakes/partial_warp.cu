/* As many threads as elements: the last warp is not whole. */
#define OWN_SUM_BLOCKS
#include "rest.cuh"

extern "C" cudaError_t sum_blocks(const float *in, size_t n, unsigned block, float *out) {
    unsigned threads = block;

    if (n == 0)
        return cudaSuccess;
    sum_blocks_kernel<<<(unsigned)((n + block - 1) / block), threads>>>(in, n, block, out);
    return cudaGetLastError();
}
