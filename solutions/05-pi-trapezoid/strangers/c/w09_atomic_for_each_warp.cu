// Wrong: the warps' sums are put together by an atomic addition for each warp; more than one atomic a block, and the result may change from run to run.
// Kind: atomic technique
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = -1;
extern "C" const int predicted_log2_intervals = -1;
extern "C" const int predicted_load_sectors = -1;
extern "C" const int predicted_barriers_of_a_warp = -1;

__device__ double quarter_circle(double x) {
    return __dsqrt_rn(fmax(0.0, 1.0 - x * x));
}

__device__ double add_up(const double *sums, unsigned count) {
    double s = 0.0;
    for (unsigned k = 0; k < count; k++)
        s += sums[k];
    return s;
}

__device__ double sum_block(double value) {
    __shared__ double total, sums[32];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned warps = (blockDim.x + 31) >> 5;
    const unsigned here = warp + 1 < warps ? 32 : blockDim.x - 32 * warp; // lanes of this warp
    const unsigned mask = 0xffffffffu >> (32 - here);
    if (threadIdx.x == 0)
        total = 0.0;
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        const double v = __shfl_down_sync(mask, value, d);
        value += lane + d < here ? v : 0.0;
    }
    if (lane == 0)
        atomicAdd(&total, value);
    __syncthreads();
    return total;
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const double h = 1.0 / n;
    double value = 0.0;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        value = -0.5;
    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        value += quarter_circle(i * h);
    value = sum_block(value);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double value = 0.0;
    for (unsigned b = threadIdx.x; b < count; b += blockDim.x)
        value += partials[b];
    value = sum_block(value);
    if (threadIdx.x == 0)
        *pi = value * (4.0 / n);
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0) {
        cudaError_t e = cudaMemset(pi, 0, sizeof *pi);
        cudaGetLastError();
        return e;
    }
    partial_sums_kernel<<<blocks, block>>>(n, scratch);
    cudaError_t e = cudaGetLastError();
    if (e)
        return e;
    total_kernel<<<1, block>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
