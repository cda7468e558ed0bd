/* The number of blocks is rounded down. */
#define OWN_SCAN_WARPS
#include "rest.cuh"

extern "C" cudaError_t scan_warps(const int *in, size_t n, unsigned block, int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    scan_warps_kernel<<<(unsigned)(n / block), block>>>(in, n, out);
    return cudaGetLastError();
}
