/* Adds up x step by step, which passes 1 by a rounding. */
#define OWN_PARTIAL_SUMS_KERNEL
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / n, sum = 0;

    double x = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * h;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride, x += stride * h) {
        double weight = i == 0 || i == n ? 0.5 : 1;
        sum += weight * quarter_circle(x);
    }

    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}
