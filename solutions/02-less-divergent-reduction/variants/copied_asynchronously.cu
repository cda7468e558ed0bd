/* Both tiles come by asynchronous copies, which each thread waits for before the barrier. */
#include <cuda_pipeline.h>

#include "sum_by_levels.cuh"

static __device__ void load(const int *in, size_t n, int *tile) {
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    if (gid < n)
        __pipeline_memcpy_async(&tile[t], &in[gid], sizeof(int));
    else
        tile[t] = 0;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;

    load(in, n, tile);
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * t;
        if (index + stride < blockDim.x)
            tile[index] += tile[index + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, scratch, sum);
}

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;

    load(in, n, tile);
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

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_halving_kernel, in, n, block, scratch, sum);
}
