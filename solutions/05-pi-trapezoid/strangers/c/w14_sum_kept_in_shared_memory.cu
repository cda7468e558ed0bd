// Wrong: a thread's own sum lies in (volatile) shared memory and is loaded and stored in each turn; with more points there are more shared loads.
// Kind: technique
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ double quarter_circle(double x) {
    double v = 1.0 - x * x;
    return v <= 0.0 ? 0.0 : sqrt(v);
}

/* local_sums: as __local double local_sums[] in OpenCL. */
__device__ void reduce_in_place(double *local_sums) {
    const unsigned lid = threadIdx.x;
    for (unsigned size = blockDim.x; size > 1;) {
        const unsigned keep = size - size / 2;
        __syncthreads();
        if (lid < size / 2)
            local_sums[lid] += local_sums[lid + keep];
        size = keep;
    }
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    extern __shared__ double local_sums[];
    const size_t global_size = (size_t)gridDim.x * blockDim.x;
    const double h = 1.0 / n;
    volatile double &sum = local_sums[threadIdx.x];
    sum = 0.0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += global_size)
        sum = sum + (i == 0 ? 0.5 : quarter_circle(i * h));
    local_sums[threadIdx.x] = sum;
    reduce_in_place(local_sums);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = local_sums[0];
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    extern __shared__ double local_sums[];
    double sum = 0.0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    local_sums[threadIdx.x] = sum;
    reduce_in_place(local_sums);
    if (threadIdx.x == 0)
        *pi = 4.0 / n * local_sums[0];
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    cudaError_t status;
    if (n == 0) {
        status = cudaMemset(pi, 0, sizeof(double));
        cudaGetLastError();
        return status;
    }
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    status = cudaGetLastError();
    if (status != cudaSuccess)
        return status;
    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
