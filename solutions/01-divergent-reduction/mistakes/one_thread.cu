/* Thread 0 adds up the whole tile: right, and 511 threads look on. */
#define OWN_SUM_DIVERGENT_KERNEL
#include "rest.cuh"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();

    if (t == 0)
        for (unsigned i = 1; i < blockDim.x; i++)
            tile[0] += tile[i];

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
