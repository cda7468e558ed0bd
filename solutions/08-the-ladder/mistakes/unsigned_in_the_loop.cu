/* The loop's index has 32 bits, none of which is a sign: it never gets as large as n. */
#define OWN_MANY_KERNEL
#include "rest.cuh"

template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    int mine = 0;

    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        mine += in[i];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}
