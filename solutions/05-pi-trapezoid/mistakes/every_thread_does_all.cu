/* Each thread goes through all points, and one of them stores what all have found: right, and slow. */
#define OWN_PARTIAL_SUMS_KERNEL
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n, double *partials) {
    double h = 1.0 / n, sum = 0;

    for (size_t i = 0; i <= n; i++) {
        double weight = i == 0 || i == n ? 0.5 : 1;
        sum += weight * quarter_circle(i * h);
    }

    if (threadIdx.x == 0)
        partials[blockIdx.x] = blockIdx.x == 0 ? sum : 0;
}
