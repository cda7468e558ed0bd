/* Each thread of the block adds what the whole block has. */
#define OWN_BY_BLOCKS_KERNEL
#include "rest.cuh"

__global__ void sum_by_blocks_kernel(const int *in, size_t n, int *sum) {
    atomicAdd(sum, block_reduce<sum_op>(thread_reduce<sum_op>(in, n)));
}
