/* Blocks are blockDim.x elements apart, not `block`. */
#define OWN_SUM_BLOCKS_KERNEL
#include "rest.cuh"

__global__ void sum_blocks_kernel(const float *in, size_t n, unsigned block, float *out) {
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + t;

    float sum = block_sum(t < block && i < n ? in[i] : 0);
    if (t == 0)
        out[blockIdx.x] = sum;
}
