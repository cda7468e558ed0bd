/* The sums are made in the input. */
#define OWN_SUM_HALVING_KERNEL
#include "rest.cuh"

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x;
    int *tile = (int *)in + first;
    unsigned width = n - first < blockDim.x ? (unsigned)(n - first) : blockDim.x;

    while (width > 1) {
        unsigned stride = (width + 1) / 2;
        if (t + stride < width)
            tile[t] += tile[t + stride];
        __syncthreads();
        width = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
