/* The first int of a block is computed in 32 bits. */
#define OWN_UNROLLED_KERNEL
#include "rest.cuh"

template <unsigned BLOCK>
__global__ void sum_unrolled_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    size_t first = blockIdx.x * 2 * BLOCK + threadIdx.x, second = first + BLOCK;
    int mine = first < n ? in[first] : 0;

    if (second < n)
        mine += in[second];
    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}
