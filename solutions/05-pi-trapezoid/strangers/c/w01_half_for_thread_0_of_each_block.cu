// Wrong: the first point's half weight is given to thread 0 of every block in place of the point 0; with more than one block each block takes another half away.
// Kind: index
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ double quarter_circle(double x) {
    return sqrt(fmax(0.0, 1.0 - x * x));
}

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    const unsigned t = threadIdx.x;
    temp[t] = value;
    for (unsigned words = blockDim.x; words > 1;) {
        const unsigned half = (words + 1) / 2;
        __syncthreads();
        if (t + half < words)
            temp[t] += temp[t + half];
        words = half;
    }
    return temp[t];
}

/* The point n has the height 0 and is left out. */
__global__ void partial_sums_kernel(size_t n, double *partials) {
    const size_t step = (size_t)gridDim.x * blockDim.x;
    const double h = 1.0 / (double)n;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double mine = threadIdx.x == 0 ? -0.5 : 0.0;
    for (; i < n; i += step)
        mine += quarter_circle((double)i * h);
    mine = sum_block(mine);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = mine;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double mine = 0.0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        mine += partials[i];
    mine = sum_block(mine);
    if (threadIdx.x == 0)
        *pi = 4.0 / (double)n * mine;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    cudaError_t error;
    if (n == 0) {
        error = cudaMemsetAsync(pi, 0, sizeof *pi);
        if (error != cudaSuccess)
            cudaGetLastError();
        return error;
    }
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
