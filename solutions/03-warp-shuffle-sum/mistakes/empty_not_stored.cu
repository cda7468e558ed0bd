/* For n = 0 there is nothing to launch, and nobody stores the sum. */
#define OWN_SUM_GRID
#include "rest.cuh"

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    const unsigned items = 16;

    if (n == 0)
        return cudaSuccess;
    cudaMemsetAsync(sum, 0, sizeof *sum);
    size_t tile = (size_t)block * items;
    sum_grid_kernel<<<(unsigned)((n + tile - 1) / tile), block>>>(in, n, sum);
    return cudaGetLastError();
}
