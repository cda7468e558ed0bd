// Wrong: the block is rounded up to whole warps, "as the hardware does it anyway"; for 100 threads asked for, blocks of 128 are launched, where the caller names the block.
// Kind: launch
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ double quarter_circle(double x) { return sqrt(fmax(0.0, 1.0 - x * x)); }

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    int t = threadIdx.x;
    int n = blockDim.x;
    temp[t] = value;
    __syncthreads();
    while (n > 1) {
        int h = (n + 1) / 2;
        double add = 0;
        if (t + h < n)
            add = temp[t + h];
        if (add != 0)
            temp[t] += add;
        __syncthreads();
        n = h;
    }
    return temp[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    double s = 0, h = 1.0 / n;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        s += i == 0 ? 0.5 : quarter_circle(i * h);
    s = sum_block(s);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = s;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double s = 0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        s += partials[i];
    s = sum_block(s);
    if (threadIdx.x == 0)
        *pi = 4.0 / n * s;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    const unsigned threads = (block + 31) / 32 * 32;
    const size_t bytes = threads * sizeof(double);
    cudaError_t error;
    if (n == 0) {
        error = cudaMemset(pi, 0, sizeof(double));
        cudaGetLastError();
        return error;
    }
    partial_sums_kernel<<<blocks, threads, bytes>>>(n, scratch);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    total_kernel<<<1, threads, bytes>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
