/* Allocates its levels, and frees them again on every way out. */
#include "sum_divergent.h"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *partials) {
    extern __shared__ int tile[];
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
        partials[blockIdx.x] = tile[0];
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);

    int *own = NULL, *next;
    cudaError_t error = cudaMalloc(&own, levels_scratch(n, block) * sizeof *own);

    (void)scratch;
    next = own;
    while (error == cudaSuccess) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? next : sum;

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, partials);
        error = cudaGetLastError();
        if (blocks == 1)
            break;
        in = partials;
        n = blocks;
        next += blocks;
    }
    cudaFree(own);
    return error;
}
