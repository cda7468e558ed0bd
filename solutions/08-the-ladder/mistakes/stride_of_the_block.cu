/* Each block goes on to the ints of the next ones. */
#define OWN_MANY_KERNEL
#include "rest.cuh"

template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    int mine = 0;

    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK)
        mine += in[i];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}
