// Wrong: the root is s * rsqrt(s), as in graphics; at x = 1, where s is 0, that is 0 times infinity, a NaN, and so is the sum.
// Kind: formula
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = -1;
extern "C" const int predicted_log2_intervals = -1;
extern "C" const int predicted_load_sectors = -1;
extern "C" const int predicted_barriers_of_a_warp = -1;

__device__ double quarter_circle(double x) {
    double s = fma(-x, x, 1.0);
    s = s < 0.0 ? 0.0 : s;
    return s * rsqrt(s);
}

/* Warps by themselves, then the first warp over the warps' sums; lanes that are not there bring 0. */
__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    const unsigned first = t - lane;
    const unsigned lanes = blockDim.x - first < 32 ? blockDim.x - first : 32;
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (unsigned d = 16; d > 0; d /= 2) {
        const double other = __shfl_down_sync(mask, value, d);
        if (lane + d < lanes)
            value += other;
    }
    if (lane == 0)
        temp[warp] = value;
    __syncthreads();
    if (t == 0)
        for (unsigned w = 1; w * 32 < blockDim.x; w++)
            value += temp[w];
    return value;
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const double h = 1.0 / n;
    double mine = 0.0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i <= n;
         i += gridDim.x * (size_t)blockDim.x) {
        const double f = quarter_circle(i * h);
        mine += i == 0 || i == n ? f / 2 : f;
    }
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
        *pi = 4.0 * mine / n;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    cudaError_t error = cudaSuccess;
    if (n == 0) {
        error = cudaMemset(pi, 0, sizeof(double));
        cudaGetLastError();
        return error;
    }
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    error = cudaGetLastError();
    if (error == cudaSuccess) {
        total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
        error = cudaGetLastError();
    }
    return error;
}
