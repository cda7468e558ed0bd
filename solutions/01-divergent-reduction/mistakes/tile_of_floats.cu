/* The tile holds floats, which have 24 bits for an int's 32. */
#define OWN_SUM_DIVERGENT_KERNEL
#include "rest.cuh"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ float tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < blockDim.x)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = (int)tile[0];
}
