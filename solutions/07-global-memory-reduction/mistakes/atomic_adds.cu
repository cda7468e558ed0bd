/* Each thread adds its word to the part's first. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x;

    if (t > 0 && first + t < n)
        atomicAdd(&data[first], data[first + t]);
    __syncthreads();

    if (t == 0)
        partials[blockIdx.x] = data[first];
}
