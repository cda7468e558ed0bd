/* A thread adds in a float. */
#define OWN_MANY_KERNEL
#include "rest.cuh"

template <unsigned BLOCK>
__global__ void sum_many_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    size_t threads = (size_t)gridDim.x * BLOCK;
    float mine = 0;

    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += threads)
        mine += in[i];
    int all = block_sum<BLOCK>(tile, (int)mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = all;
}
