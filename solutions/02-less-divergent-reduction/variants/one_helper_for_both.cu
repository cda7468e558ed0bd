/* The load and the store are functions that both kernels call. */
#include "sum_by_levels.cuh"

__device__ void load(const int *in, size_t n, size_t gid, int *tile) {
    tile[threadIdx.x] = gid < n ? in[gid] : 0;
    __syncthreads();
}

__device__ void store(int *partials, const int *tile) {
    if (threadIdx.x == 0)
        partials[blockIdx.x] = tile[0];
}

__global__ void sum_strided_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    load(in, n, gid, tile);

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * t;
        if (index + stride < blockDim.x)
            tile[index] += tile[index + stride];
        __syncthreads();
    }

    store(partials, tile);
}

extern "C" cudaError_t sum_strided(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_strided_kernel, in, n, block, scratch, sum);
}

__global__ void sum_halving_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    load(in, n, gid, tile);

    for (unsigned width = blockDim.x; width > 1;) {
        unsigned stride = (width + 1) / 2;
        if (t + stride < width)
            tile[t] += tile[t + stride];
        __syncthreads();
        width = stride;
    }

    store(partials, tile);
}

extern "C" cudaError_t sum_halving(const int *in, size_t n, unsigned block, int *scratch,
                                   int *sum) {
    return sum_by_levels(sum_halving_kernel, in, n, block, scratch, sum);
}
