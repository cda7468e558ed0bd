/* The place of the part is computed in 32 bits. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    size_t rest = n - first;
    unsigned words = rest < blockDim.x ? (unsigned)rest : blockDim.x;
    int *part = data + first;

    while (words > 1) {
        unsigned stride = (words + 1) / 2;
        if (t + stride < words)
            part[t] += part[t + stride];
        __syncthreads();
        words = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = part[0];
}
