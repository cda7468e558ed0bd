/* The stride begins with half of the block, also where the part has fewer words. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x, rest = n - first;
    unsigned words = rest < blockDim.x ? (unsigned)rest : blockDim.x;
    int *part = data + first;

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            part[t] += part[t + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = part[0];
}
