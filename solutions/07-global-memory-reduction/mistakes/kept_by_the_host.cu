/* The ints are copied by way of the host. */
#define OWN_KEPT
#include "rest.cuh"

#include <cstdlib>

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    int *host = (int *)malloc(n * sizeof *in + 1);
    cudaError_t error = cudaMemcpy(host, in, n * sizeof *in, cudaMemcpyDeviceToHost);

    if (error == cudaSuccess)
        error = cudaMemcpy(copy, host, n * sizeof *in, cudaMemcpyHostToDevice);
    free(host);
    return error != cudaSuccess ? error : sum_interleaved(copy, n, block, scratch, sum);
}
