/* The loop leaves 128 words, the last warp adds 64. */
#define OWN_LAST_WARP_KERNEL
#include "rest.cuh"

__global__ void sum_last_warp_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * 2 * blockDim.x + t, second = first + blockDim.x;
    int mine = first < n ? in[first] : 0;

    if (second < n)
        mine += in[second];
    tile[t] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 64; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t < 32) {
        mine = last_warp(tile, t);
        if (t == 0)
            partials[blockIdx.x] = mine;
    }
}
