/* The lock is set to 0 in the first call, and has to be free ever after. */
#define OWN_BY_LOCK
#include "rest.cuh"

extern "C" cudaError_t sum_by_lock(const int *in, size_t n, unsigned block, int *lock, int *sum) {
    static bool is_free;

    if (!is_block(block))
        return cudaErrorInvalidValue;
    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error == cudaSuccess && !is_free)
        error = cudaMemset(lock, 0, sizeof *lock);
    if (error != cudaSuccess)
        return error;
    is_free = true;
    sum_by_lock_kernel<<<operator_blocks(n, block), block, block * sizeof(int)>>>(in, n, lock, sum);
    return cudaGetLastError();
}
