/* Its stream does not wait for the default stream, nor that one for it. */
#define OWN_SUM_GRID
#include "rest.cuh"

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    static cudaStream_t own;
    const unsigned items = 16;

    if (own == NULL && cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) != cudaSuccess)
        return cudaGetLastError();
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum, own);
    if (error != cudaSuccess || n == 0)
        return error;
    size_t tile = (size_t)block * items;
    sum_grid_kernel<<<(unsigned)((n + tile - 1) / tile), block, 0, own>>>(in, n, sum);
    return cudaGetLastError();
}
