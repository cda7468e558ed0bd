/* Every thread adds its sum to the result. */
#define OWN_PARTIAL_SUMS_KERNEL
#define OWN_PI_TRAPEZOID
#include "rest.cuh"

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / n, sum = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride) {
        double weight = i == 0 || i == n ? 0.5 : 1;
        sum += weight * quarter_circle(i * h);
    }

    atomicAdd(partials, 4 * sum / n);
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0)
        return cudaMemset(pi, 0, sizeof *pi);

    cudaMemset(pi, 0, sizeof *pi);
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, pi);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;

    return cudaGetLastError();
}
