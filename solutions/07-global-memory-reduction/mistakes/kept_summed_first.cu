/* The ints are copied after the sum has overwritten them. */
#define OWN_KEPT
#include "rest.cuh"

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    cudaError_t error = sum_interleaved((int *)in, n, block, scratch, sum);

    return error != cudaSuccess ? error : cudaMemcpy(copy, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
}
