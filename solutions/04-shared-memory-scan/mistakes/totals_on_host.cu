/* Scans the totals on the host, without copying them there. */
#define OWN_SCAN
#include "rest.cuh"

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    size_t tiles = (n + block - 1) / block;
    int *totals = tiles > 1 ? scratch : NULL;

    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;

    int sum = 0;
    for (size_t i = 0; i < tiles; i++) {
        int total = totals[i];
        totals[i] = sum;
        sum += total;
    }

    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
    return cudaGetLastError();
}
