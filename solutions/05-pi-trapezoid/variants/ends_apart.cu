/* The loop takes the points between the ends; the last kernel adds half of the ends. */
#include "pi_trapezoid.h"

__device__ double quarter_circle(double x) {
    return sqrt(1 - x * x);
}

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    unsigned t = threadIdx.x;

    temp[t] = value;
    __syncthreads();

    for (unsigned left = blockDim.x; left > 1;) {
        unsigned half = (left + 1) / 2;
        if (t + half < left)
            temp[t] += temp[t + half];
        __syncthreads();
        left = half;
    }
    return temp[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / n, sum = 0;

    for (size_t i = 1 + (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        sum += quarter_circle(i * h);

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
        *pi = 4 * (sum + 0.5) / n;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0)
        return cudaMemset(pi, 0, sizeof *pi);

    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;

    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
