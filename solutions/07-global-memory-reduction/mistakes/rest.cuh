/* The rest of the answer: what a mistake of this folder leaves as it should be. A mistake that has a
 * function of its own says so before it includes this. */
#include "sum_in_place.cuh"

__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials);
__global__ void sum_packed_kernel(int *data, size_t n, int *partials);
__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials);

#ifndef OWN_NEIGHBOURED_KERNEL
__global__ void sum_neighboured_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x, rest = n - first;
    unsigned words = rest < blockDim.x ? (unsigned)rest : blockDim.x;
    int *part = data + first;

    for (unsigned stride = 1; stride < words; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < words)
            part[t] += part[t + stride];
        __syncthreads();
    }

    if (t == 0)
        partials[blockIdx.x] = part[0];
}
#endif

#ifndef OWN_NEIGHBOURED
extern "C" cudaError_t sum_neighboured(int *data, size_t n, unsigned block, int *scratch,
                                       int *sum) {
    return sum_in_place(sum_neighboured_kernel, data, n, block, scratch, sum);
}
#endif

#ifndef OWN_PACKED_KERNEL
__global__ void sum_packed_kernel(int *data, size_t n, int *partials) {
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
#endif

#ifndef OWN_PACKED
extern "C" cudaError_t sum_packed(int *data, size_t n, unsigned block, int *scratch, int *sum) {
    return sum_in_place(sum_packed_kernel, data, n, block, scratch, sum);
}
#endif

#ifndef OWN_INTERLEAVED_KERNEL
__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x, rest = n - first;
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
#endif

#ifndef OWN_INTERLEAVED
extern "C" cudaError_t sum_interleaved(int *data, size_t n, unsigned block, int *scratch,
                                       int *sum) {
    return sum_in_place(sum_interleaved_kernel, data, n, block, scratch, sum);
}
#endif

#ifndef OWN_KEPT
extern "C" cudaError_t sum_kept(const int *in, size_t n, unsigned block, int *copy, int *scratch,
                                int *sum) {
    cudaError_t error = cudaMemcpy(copy, in, n * sizeof *in, cudaMemcpyDeviceToDevice);

    return error != cudaSuccess ? error : sum_interleaved(copy, n, block, scratch, sum);
}
#endif
