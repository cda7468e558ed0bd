/* Keeps the sum of all calls in a variable of the device. */
#define OWN_TOTAL_KERNEL
#include "rest.cuh"

__device__ double total;

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double sum = 0;

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = (total += 4 * sum / n);
}
