/* The second version, handed in as the third. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x, rest = n - first;
    unsigned words = rest < blockDim.x ? (unsigned)rest : blockDim.x;
    int *part = data + first;

    for (unsigned stride = 1; stride < words; stride *= 2) {
        unsigned index = 2 * stride * t;
        if (index + stride < words)
            part[index] += part[index + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = part[0];
}
