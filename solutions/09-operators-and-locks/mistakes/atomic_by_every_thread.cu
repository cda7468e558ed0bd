/* sum_by_blocks adds as sum_by_threads does. */
#define OWN_BY_BLOCKS_KERNEL
#include "rest.cuh"

__global__ void sum_by_blocks_kernel(const int *in, size_t n, int *sum) {
    atomicAdd(sum, thread_reduce<sum_op>(in, n));
}
