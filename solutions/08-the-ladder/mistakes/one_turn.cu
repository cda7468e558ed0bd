/* Each thread takes one int, though there are more than threads. */
#define OWN_MANY_KERNEL
#include "rest.cuh"

template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    int mine = i < n ? in[i] : 0;

    mine = block_sum<BLOCK>(tile, mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}
