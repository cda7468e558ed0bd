/* The partner is loaded by the read-only path, though the same kernel has written it. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x, rest = n - first;
    unsigned words = rest < blockDim.x ? (unsigned)rest : blockDim.x;
    int *part = data + first;

    // `words` sums are left to be added. Of an odd number, the one in the middle has no partner: it

    while (words > 1) {
        unsigned stride = (words + 1) / 2;
        if (t + stride < words)
            part[t] += __ldg(&part[t + stride]);
        __syncthreads();
        words = stride;
    }

    if (t == 0)
        partials[blockIdx.x] = part[0];
}
