/* Ticket and words are as they came. */
#define OWN_SCAN_FAST
#include "rest.cuh"

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    size_t tiles = n / TILE + (n % TILE > 0);

    if (tiles == 0)
        return cudaSuccess;
    cudaError_t error = cudaSuccess;
    if (error != cudaSuccess)
        return error;
    scan_kernel<<<(unsigned)tiles, SCAN_BLOCK>>>(in, n, scratch, out);
    return cudaGetLastError();
}
