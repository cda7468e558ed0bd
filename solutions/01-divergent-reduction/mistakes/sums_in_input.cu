/* Sums in place, in the input, which is const and belongs to the caller. */
#define OWN_SUM_DIVERGENT_KERNEL
#define OWN_SUM_DIVERGENT
#include "rest.cuh"

__global__ void sum_divergent_kernel(int *in, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t gid = (size_t)blockIdx.x * blockDim.x + t;

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < blockDim.x && gid + stride < n)
            in[gid] += in[gid + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = in[gid];
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch,
                                     int *sum) {
    if (block < 2)
        return cudaErrorInvalidValue;

    if (n == 0)
        return cudaMemset(sum, 0, sizeof *sum);

    for (;;) {
        size_t blocks = (n + block - 1) / block;
        int *partials = blocks > 1 ? scratch : sum;

        sum_divergent_kernel<<<(unsigned)blocks, block>>>((int *)in, n, partials);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess || blocks == 1)
            return error;

        in = partials;
        n = blocks;
        scratch += blocks;
    }
}
