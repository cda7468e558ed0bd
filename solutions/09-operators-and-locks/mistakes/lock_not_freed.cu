/* Nobody sets the lock to 0 before the launch. */
#define OWN_BY_LOCK
#include "rest.cuh"

extern "C" cudaError_t sum_by_lock(const int *in, size_t n, unsigned block, int *lock, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    sum_by_lock_kernel<<<operator_blocks(n, block), block, block * sizeof(int)>>>(in, n, lock, sum);
    return cudaGetLastError();
}
