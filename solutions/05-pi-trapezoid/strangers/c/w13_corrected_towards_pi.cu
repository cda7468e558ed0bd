// Wrong: the handout's first error term, 1.17598 n^-1.5, is added to come closer to pi; asked is the rule's value, not pi.
// Kind: formula
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ double quarter_circle(double x) { return sqrt(fmax(0.0, 1.0 - x * x)); }

__device__ double sum_block(double value) {
    extern __shared__ double shared[];
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned left = blockDim.x; left > 1; left = (left + 1) >> 1) {
        unsigned mid = (left + 1) >> 1;
        if (threadIdx.x < left >> 1)
            shared[threadIdx.x] += shared[threadIdx.x + mid];
        __syncthreads();
    }
    return shared[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    auto total_threads = static_cast<size_t>(gridDim.x) * blockDim.x;
    auto height = [h = 1.0 / static_cast<double>(n)](size_t i) {
        return i == 0 ? 0.5 : quarter_circle(static_cast<double>(i) * h);
    };
    double local_sum = 0.0;
    for (auto i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += total_threads)
        local_sum += height(i);
    double block_sum = sum_block(local_sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = block_sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double local_sum = 0.0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        local_sum += partials[i];
    double sum = sum_block(local_sum);
    if (threadIdx.x == 0) {
        const double intervals = static_cast<double>(n);
        *pi = 4.0 / intervals * sum + 1.17598 / (intervals * sqrt(intervals));
    }
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0) {
        cudaError_t status = cudaMemset(pi, 0, sizeof(double));
        if (status != cudaSuccess)
            (void)cudaGetLastError();
        return status;
    }
    const size_t shared_bytes = block * sizeof(double);
    partial_sums_kernel<<<blocks, block, shared_bytes>>>(n, scratch);
    cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
        return status;
    total_kernel<<<1, block, shared_bytes>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
