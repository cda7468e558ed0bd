/* Threads from the largest power of two on add to the first ones; then each stride is the half. */
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

    unsigned power = 1;
    while (2 * power <= blockDim.x)
        power *= 2;
    if (t + power < blockDim.x)
        tile[t] += tile[t + power];
    __syncthreads();
    for (unsigned stride = power / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_halving_kernel, in, n, block, scratch, sum);
}
