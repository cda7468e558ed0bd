/* The last partial tile gets no block. */
#define OWN_SCAN_FAST
#include "rest.cuh"

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    size_t tiles = n / TILE;

    if (tiles == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(scratch, 0, (tiles + 1) * sizeof *scratch);
    if (error != cudaSuccess)
        return error;
    scan_kernel<<<(unsigned)tiles, SCAN_BLOCK>>>(in, n, scratch, out);
    return cudaGetLastError();
}
