/* The stride is rounded up, but the number of words left is not: the odd one is forgotten. */
#define OWN_SUM_HALVING_KERNEL
#include "rest.cuh"

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();

    for (unsigned words = blockDim.x; words > 1; words /= 2) {
        unsigned stride = (words + 1) / 2;
        if (t + stride < words)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
