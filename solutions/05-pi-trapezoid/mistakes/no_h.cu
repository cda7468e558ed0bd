/* Adds up heights, and never multiplies by the width. */
#define OWN_TOTAL_KERNEL
#include "rest.cuh"

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double sum = 0;

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = 4 * sum;
}
