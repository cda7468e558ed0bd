/* When 32 words or fewer are left, the first warp adds them by shuffles. */
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

    unsigned width = blockDim.x;
    while (width > 32) {
        unsigned stride = (width + 1) / 2;
        if (t + stride < width)
            tile[t] += tile[t + stride];
        __syncthreads();
        width = stride;
    }
    int rest = 0;
    if (blockDim.x < 32) { // no warp is whole: thread 0 adds the few there are
        for (unsigned i = 0; i < width && t == 0; i++)
            rest += tile[i];
    } else if (t < 32) {
        rest = t < width ? tile[t] : 0;
        for (unsigned delta = 16; delta > 0; delta /= 2)
            rest += __shfl_down_sync(0xffffffff, rest, delta);
    }

    if (t == 0)
        partials[blockIdx.x] = rest;
}

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_halving_kernel, in, n, block, scratch, sum);
}
