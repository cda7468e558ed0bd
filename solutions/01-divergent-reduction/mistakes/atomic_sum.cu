/* The blocks add their sums to *sum by atomics: one launch, but not the lab's way. */
#define OWN_SUM_DIVERGENT_KERNEL
#define OWN_SUM_DIVERGENT
#include "rest.cuh"

__global__ void sum_divergent_kernel(const int *in, size_t n, int *sum) {
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
        atomicAdd(sum, tile[0]);
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;

    cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
    if (error != cudaSuccess || n == 0)
        return error;

    size_t blocks = (n + block - 1) / block;
    sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, sum);
    return cudaGetLastError();
}
