// Wrong: the point's number is made a double by __int2double_rn, which takes an int; from point 2^31 on x is negative or wrong, and n may be more than 2^32.
// Kind: type
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ __forceinline__ double quarter_circle(double x) {
    return sqrt(fmax(0.0, fma(-x, x, 1.0)));
}

__device__ double sum_block(double value) {
    extern __shared__ double s[];
    s[threadIdx.x] = value;
    for (unsigned n = blockDim.x, half; n > 1; n = half) {
        half = n / 2 + n % 2;
        __syncthreads();
        if (threadIdx.x < n - half)
            s[threadIdx.x] += s[threadIdx.x + half];
    }
    return s[threadIdx.x];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const double h = __drcp_rn(__ull2double_rn(n));
    double sum = 0.0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        const double x = __dmul_rn(__int2double_rn(i), h);
        sum = __dadd_rn(sum, i == 0 ? 0.5 : quarter_circle(x));
    }
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double sum = 0.0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum = __dadd_rn(sum, partials[i]);
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = __ddiv_rn(__dmul_rn(4.0, sum), __ull2double_rn(n));
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0) {
        cudaError_t e = cudaMemset(pi, 0, sizeof(double));
        if (e != cudaSuccess)
            cudaGetLastError();
        return e;
    }
    const size_t bytes = sizeof(double) * block;
    partial_sums_kernel<<<blocks, block, bytes>>>(n, scratch);
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess) {
        total_kernel<<<1, block, bytes>>>(scratch, blocks, n, pi);
        e = cudaGetLastError();
    }
    return e;
}
