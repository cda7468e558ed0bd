/* Keeps the number of intervals in an unsigned int. */
#define OWN_PARTIAL_SUMS_KERNEL
#define OWN_TOTAL_KERNEL
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n_intervals, double *partials) {
    unsigned n = (unsigned)n_intervals;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / n, sum = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride) {
        double weight = i == 0 || i == n ? 0.5 : 1;
        sum += weight * quarter_circle(i * h);
    }

    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n_intervals,
                             double *pi) {
    unsigned n = (unsigned)n_intervals;
    double sum = 0;

    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = 4 * sum / n;
}
