/* Lab 03's sum of a warp, whose sums meet in the part. */
#define OWN_INTERLEAVED_KERNEL
#include "rest.cuh"

__global__ void sum_interleaved_kernel(int *data, size_t n, int *partials) {
    unsigned t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * blockDim.x;
    int value = first + t < n ? data[first + t] : 0;

    for (unsigned delta = 16; delta > 0; delta /= 2) {
        int other = __shfl_down_sync(__activemask(), value, delta);
        if (t % 32 + delta < 32 && t + delta < blockDim.x)
            value += other;
    }
    __syncthreads();
    if (t % 32 == 0 && first + t < n)
        data[first + t] = value;
    __syncthreads();

    if (t == 0) {
        for (unsigned i = 32; i < blockDim.x && first + i < n; i += 32)
            value += data[first + i];
        partials[blockIdx.x] = value;
    }
}
