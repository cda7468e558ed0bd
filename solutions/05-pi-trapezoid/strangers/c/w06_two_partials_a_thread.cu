// Wrong: in the last launch each thread adds two partial sums, "first add during load"; where there are more than twice as many blocks as threads in a block, the others are lost.
// Kind: launch
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = -1;
extern "C" const int predicted_log2_intervals = -1;
extern "C" const int predicted_load_sectors = -1;
extern "C" const int predicted_barriers_of_a_warp = -1;

__device__ double quarter_circle(double x) {
    const double y2 = 1.0 - x * x;
    return sqrt(y2 > 0.0 ? y2 : 0.0);
}

__device__ double sum_block(double value) {
    extern __shared__ double sdata[];
    unsigned tid = threadIdx.x;
    sdata[tid] = value;
    __syncthreads();
    unsigned s = 1;
    while (s < blockDim.x)
        s <<= 1;
    for (s >>= 1; s > 0; s >>= 1) {
        if (tid < s && tid + s < blockDim.x)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    return sdata[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t gridSize = (size_t)gridDim.x * blockDim.x;
    double h = 1.0 / (double)n;
    double acc = 0.0;
    while (gid < n) {
        acc += quarter_circle((double)gid * h);
        gid += gridSize;
    }
    acc = sum_block(acc);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = acc;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    unsigned tid = threadIdx.x;
    double acc = tid < count ? partials[tid] : 0.0;
    if (tid + blockDim.x < count)
        acc += partials[tid + blockDim.x];
    acc = sum_block(acc);
    if (threadIdx.x == 0)
        *pi = 4.0 * (acc - 0.5) / (double)n; // the point 0 counts half
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    cudaError_t err;
    size_t smem = block * sizeof(double);
    if (n == 0) {
        err = cudaMemset(pi, 0, sizeof(double));
    } else {
        partial_sums_kernel<<<blocks, block, smem>>>(n, scratch);
        err = cudaGetLastError();
        if (err == cudaSuccess) {
            total_kernel<<<1, block, smem>>>(scratch, blocks, n, pi);
            err = cudaGetLastError();
        }
    }
    if (err != cudaSuccess)
        cudaGetLastError();
    return err;
}
