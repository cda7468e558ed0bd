/* Lab 02's kernel, with a tile. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    __shared__ int tile[1024];
    unsigned t = threadIdx.x, words = blockDim.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? data[gid] : 0;
    __syncthreads();

    while (words > 1) {
        unsigned stride = (words + 1) / 2;
        if (t + stride < words)
            tile[t] += tile[t + stride];
        __syncthreads();
        words = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
