/* The copy has n bytes, not n ints. */
#define OWN_KEPT
#include "rest.cuh"

extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    cudaError_t error = cudaMemcpy(copy, in, n, cudaMemcpyDeviceToDevice);

    return error != cudaSuccess ? error : sum_interleaved(copy, n, block, scratch, sum);
}
