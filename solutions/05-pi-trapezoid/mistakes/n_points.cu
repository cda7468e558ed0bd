/* Spreads n points over the range from 0 to 1: n - 1 intervals. */
#define OWN_PARTIAL_SUMS_KERNEL
#define OWN_TOTAL_KERNEL
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / (n - 1), sum = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        double weight = i == 0 || i == n - 1 ? 0.5 : 1;
        sum += weight * quarter_circle(i * h);
    }

    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double sum = 0;

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = 4 * sum / (n - 1);
}
