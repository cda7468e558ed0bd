// Wrong: h is 1.0f / n, a float; that is exact where n is a power of two, and right to seven digits only for all other n.
// Kind: type
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

template <typename T> __device__ inline T square(T x) { return x * x; }

__device__ double quarter_circle(double x) {
    const double rest = 1.0 - square(x);
    return rest > 0.0 ? sqrt(rest) : 0.0;
}

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    temp[threadIdx.x] = value;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const unsigned left = 2 * stride * threadIdx.x;
        if (left + stride < blockDim.x)
            temp[left] += temp[left + stride];
        __syncthreads();
    }
    return temp[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const double h = 1.0f / n;
    double sum = 0;
    for (size_t point = threadIdx.x + (size_t)blockIdx.x * blockDim.x; point < n;
         point += (size_t)blockDim.x * gridDim.x)
        sum += (point == 0 ? 0.5 : 1.0) * quarter_circle(point * h);
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double sum = 0;
    for (unsigned b = threadIdx.x; b < count; b += blockDim.x)
        sum += partials[b];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = sum * 4.0 / n;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0) {
        cudaError_t e = cudaMemset(pi, 0, sizeof(double));
        return e == cudaSuccess ? e : cudaGetLastError();
    }
    const size_t shared = block * sizeof(double);
    partial_sums_kernel<<<blocks, block, shared>>>(n, scratch);
    if (cudaError_t e = cudaGetLastError())
        return e;
    total_kernel<<<1, block, shared>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
