/* A grid has at most 65,535 blocks in direction x, as that of a GPU before compute capability 3.0. */
#define OWN_SCAN_BLOCKS
#include "rest.cuh"

extern "C" cudaError_t scan_blocks(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    size_t blocks = (n + block - 1) / block;
    scan_blocks_kernel<<<blocks < 65535 ? (unsigned)blocks : 65535, block>>>(in, n, out);
    return cudaGetLastError();
}
