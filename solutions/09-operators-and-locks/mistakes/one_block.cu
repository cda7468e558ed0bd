/* One block goes through all ints. */
#define OWN_BY_THREADS
#include "rest.cuh"

extern "C" cudaError_t sum_by_threads(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    sum_by_threads_kernel<<<1, block>>>(in, n, sum);
    return cudaGetLastError();
}
