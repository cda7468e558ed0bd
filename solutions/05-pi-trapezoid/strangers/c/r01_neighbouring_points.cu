// Right: each thread has a stretch of neighbouring points, dealt out evenly; the height is the root of (1 - x)(1 + x); a register keeps x's number, no grid stride.
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ double quarter_circle(double x) {
    return x < 1.0 ? sqrt((1.0 - x) * (1.0 + x)) : 0.0;
}

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    const unsigned t = threadIdx.x;
    temp[t] = value;
    __syncthreads();
    for (unsigned n = blockDim.x; n > 1; n -= n / 2) {
        if (t < n / 2)
            temp[t] += temp[n - 1 - t]; // the last comes to the first
        __syncthreads();
    }
    return temp[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t each = (n + 1) / threads, more = (n + 1) % threads;
    size_t i = t * each + (t < more ? t : more);
    const double h = 1.0 / n;
    double sum = 0.0;
    for (size_t left = each + (t < more); left > 0; left--, i++) {
        double f = quarter_circle(i * h);
        if (i == 0 || i == n)
            f *= 0.5;
        sum += f;
    }
    sum = sum_block(sum);
    if (t == (size_t)blockIdx.x * blockDim.x)
        partials[blockIdx.x] = sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double sum = 0.0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = 4.0 / n * sum;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    cudaError_t error;
    if (n == 0) {
        if ((error = cudaMemset(pi, 0, sizeof *pi)) != cudaSuccess)
            cudaGetLastError();
        return error;
    }
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    if ((error = cudaGetLastError()) != cudaSuccess)
        return error;
    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
