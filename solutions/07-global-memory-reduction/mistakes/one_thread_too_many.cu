/* One thread too many adds. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x, rest = n - first;
    unsigned words = rest < blockDim.x ? (unsigned)rest : blockDim.x;
    int *part = data + first;

    while (words > 1) {
        unsigned stride = (words + 1) / 2;
        if (t + stride <= words)
            part[t] += part[t + stride];
        __syncthreads();
        words = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = part[0];
}
