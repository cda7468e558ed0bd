/* As many neighbouring points for each thread, and for the first one those that no share has room
 * for: nearly as many as there are threads. */
#define OWN_PARTIAL_SUMS_KERNEL
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t threads = (size_t)gridDim.x * blockDim.x, share = (n + 1) / threads;
    size_t number = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t left = (n + 1) % threads, from = number > 0 ? left + number * share : 0;
    double h = 1.0 / n, sum = 0;

    for (size_t i = from; i < left + (number + 1) * share; i++)
        sum += (i == 0 || i == n ? 0.5 : 1) * quarter_circle(i * h);

    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}
