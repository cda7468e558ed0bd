// Wrong: the last launch takes the partial sums in pairs; where the number of blocks is odd, it reads a double behind the last one.
// Kind: bound
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = -1;
extern "C" const int predicted_log2_intervals = -1;
extern "C" const int predicted_load_sectors = -1;
extern "C" const int predicted_barriers_of_a_warp = -1;

__device__ double quarter_circle(double x) {
    return sqrt(max(0.0, (1.0 - x) * (1.0 + x)));
}

template <unsigned MOST> __device__ double sum_block_of(double value) {
    __shared__ double part[MOST];
    const unsigned t = threadIdx.x;
    part[t] = value;
    __syncthreads();
#pragma unroll
    for (unsigned s = MOST / 2; s > 0; s /= 2) {
        if (t < s && t + s < blockDim.x)
            part[t] += part[t + s];
        __syncthreads();
    }
    return part[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const double h = 1.0 / n;
    const size_t first = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    double sum = first == 0 ? -0.5 : 0.0;
    for (size_t i = first; i < n; i += (size_t)gridDim.x * blockDim.x)
        sum += quarter_circle(i * h);
    sum = sum_block_of<1024>(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double sum = 0.0;
    for (size_t j = 2 * threadIdx.x; j < count; j += 2 * blockDim.x)
        sum += partials[j] + partials[j + 1];
    sum = sum_block_of<1024>(sum);
    if (threadIdx.x == 0)
        *pi = 4.0 / n * sum;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0) {
        const cudaError_t error = cudaMemset(pi, 0, sizeof(double));
        cudaGetLastError();
        return error;
    }
    partial_sums_kernel<<<blocks, block>>>(n, scratch);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    total_kernel<<<1, block>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
