/* The number of the first point is widened when 32 bits of it are left. */
#define OWN_PARTIAL_SUMS_KERNEL
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / n, sum = 0;

    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride) {
        double weight = i == 0 || i == n ? 0.5 : 1;
        sum += weight * quarter_circle(i * h);
    }

    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}
