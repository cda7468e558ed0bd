/* The warps sum by shuffles, the subject of lab 03, and only whole warps do. */
#define OWN_SUM_DIVERGENT_KERNEL
#include "rest.cuh"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    int value = gid < n ? in[gid] : 0;
    for (unsigned delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(0xffffffffu, value, delta);
    tile[t] = value;
    __syncthreads();

    for (unsigned stride = 32; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < blockDim.x)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
