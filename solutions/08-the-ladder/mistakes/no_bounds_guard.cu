/* The last block is taken to be full. */
#define OWN_STRIDED_KERNEL
#include "rest.cuh"

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = in[gid];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * t;
        if (index < blockDim.x)
            tile[index] += tile[index + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
