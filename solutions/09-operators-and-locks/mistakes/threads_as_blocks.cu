/* sum_by_threads sums the block first. */
#define OWN_BY_THREADS_KERNEL
#define OWN_BY_THREADS
#include "rest.cuh"

__global__ void sum_by_threads_kernel(const int *in, size_t n, int *sum) {
    int all = block_reduce<sum_op>(thread_reduce<sum_op>(in, n));

    if (threadIdx.x == 0)
        atomicAdd(sum, all);
}

extern "C" cudaError_t sum_by_threads(const int *in, size_t n, unsigned block, int *sum) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess)
        return error;
    sum_by_threads_kernel<<<operator_blocks(n, block), block, block * sizeof(int)>>>(in, n, sum);
    return cudaGetLastError();
}
