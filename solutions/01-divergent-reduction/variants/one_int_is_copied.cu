/* The sum of one int is that int: it is copied, and no kernel runs. */
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
    if (n == 1)
        return cudaMemcpy(sum, in, sizeof *sum, cudaMemcpyDeviceToDevice);

    while (n > 1) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? scratch : sum;

        sum_divergent_kernel<<<(unsigned)blocks, block, block * sizeof(int)>>>(in, n, partials);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        in = partials;
        n = blocks;
        scratch += blocks;
    }
    return cudaSuccess;
}
