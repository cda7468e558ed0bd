/* Adds to a variable that was never set: a register holds anything at first. */
#define OWN_PARTIAL_SUMS_KERNEL
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / n, sum;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride) {
        double weight = i == 0 || i == n ? 0.5 : 1;
        sum += weight * quarter_circle(i * h);
    }

    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}
