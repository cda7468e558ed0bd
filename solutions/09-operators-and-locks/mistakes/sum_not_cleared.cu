/* What *sum held before the call is part of the sum. */
#define OWN_BY_THREADS
#include "rest.cuh"

extern "C" cudaError_t sum_by_threads(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    sum_by_threads_kernel<<<operator_blocks(n, block), block>>>(in, n, sum);
    return cudaGetLastError();
}
