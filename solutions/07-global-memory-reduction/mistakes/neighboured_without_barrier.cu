/* There is no barrier between the steps. */
#define OWN_NEIGHBOURED_KERNEL
#include "rest.cuh"

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x, rest = n - first;
    unsigned words = rest < blockDim.x ? (unsigned)rest : blockDim.x;
    int *part = data + first;

    for (unsigned stride = 1; stride < words; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < words)
            part[t] += part[t + stride];
    }

    if (t == 0)
        partials[blockIdx.x] = part[0];
}
