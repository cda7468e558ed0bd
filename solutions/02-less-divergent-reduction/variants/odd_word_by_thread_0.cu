/* The stride is rounded down; of an odd number of words, thread 0 adds the last one. */
#include "sum_by_levels.cuh"

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();

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
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    tile[t] = gid < n ? in[gid] : 0;
    __syncthreads();

    for (unsigned width = blockDim.x; width > 1; width /= 2) {
        unsigned stride = width / 2;
        if (t < stride)
            tile[t] += tile[t + stride];
        if (t == 0 && width % 2 != 0)
            tile[0] += tile[width - 1];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_halving_kernel, in, n, block, scratch, sum);
}
