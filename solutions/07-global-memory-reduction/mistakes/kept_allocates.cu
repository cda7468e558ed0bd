/* A copy of its own, which is never freed. */
#define OWN_KEPT
#include "rest.cuh"

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    int *own;
    cudaError_t error = cudaMalloc(&own, n * sizeof *in + 1);

    if (error != cudaSuccess)
        return error;
    error = cudaMemcpy(own, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    return error != cudaSuccess ? error : sum_interleaved(own, n, block, scratch, sum);
}
