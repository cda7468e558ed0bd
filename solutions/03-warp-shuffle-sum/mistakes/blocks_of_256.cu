/* Launches blocks of 256 threads, whatever was asked for. */
#define OWN_SUM_GRID
#include "rest.cuh"

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    const unsigned items = 16;
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);

    if (block > 1024)
        return cudaErrorInvalidConfiguration;
    if (error != cudaSuccess || n == 0)
        return error;
    block = 256;
    size_t tile = (size_t)block * items;
    sum_grid_kernel<<<(unsigned)((n + tile - 1) / tile), block>>>(in, n, sum);
    return cudaGetLastError();
}
