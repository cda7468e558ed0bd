/* Each level allocates room for its totals, and frees none of it. */
#define OWN_SCAN
#include "rest.cuh"

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    size_t tiles = (n + block - 1) / block;
    int *totals = NULL;
    cudaError_t error = cudaSuccess;

    if (tiles > 1)
        error = cudaMalloc(&totals, tiles * sizeof *totals);
    if (error != cudaSuccess)
        return error;
    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       totals);
    error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;

    error = scan(totals, tiles, block, true, scratch, totals);
    if (error != cudaSuccess)
        return error;

    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
    return cudaGetLastError();
}
