/* The tile comes by asynchronous copies, and a barrier is taken for a wait: it waits for threads, not
 * for what they have under way. */
#include <cuda_pipeline.h>
#define OWN_SUM_HALVING_KERNEL
#include "rest.cuh"

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = 0;
    if (gid < n)
        __pipeline_memcpy_async(&tile[t], &in[gid], sizeof(int));
    __pipeline_commit();
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
