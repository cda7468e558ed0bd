// Wrong: for n = 0 only sizeof(float) bytes of *pi are set to 0; the upper half of the double keeps what it held.
// Kind: clear
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

namespace {

struct Circle {
    double h;
    __device__ explicit Circle(size_t n) : h(1.0 / n) {}
    __device__ double operator[](size_t i) const { return sqrt(fmax(0.0, 1.0 - i * h * (i * h))); }
};

struct BlockSum {
    double *temp;
    __device__ double operator()(double value) const {
        const unsigned t = threadIdx.x;
        for (unsigned m = blockDim.x; m > 1; m -= m / 2) {
            __syncthreads();
            temp[t] = value;
            __syncthreads();
            if (t < m / 2)
                value += temp[t + m - m / 2];
        }
        return value;
    }
};

template <typename F> cudaError_t attempt(F f) {
    f();
    return cudaGetLastError();
}

} // namespace

__global__ void partial_sums_kernel(size_t n, double *partials) {
    extern __shared__ double temp[];
    const Circle f(n);
    double sum = 0;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i <= n;
         i += size_t(gridDim.x) * blockDim.x)
        sum += f[i] * (i % n == 0 ? 0.5 : 1.0);
    sum = BlockSum{temp}(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    extern __shared__ double temp[];
    double sum = 0;
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x)
        sum += partials[k];
    sum = BlockSum{temp}(sum);
    if (threadIdx.x == 0)
        *pi = 4 * sum / n;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0) {
        const auto error = cudaMemset(pi, 0, sizeof(float));
        cudaGetLastError();
        return error;
    }
    const auto bytes = block * sizeof(double);
    auto error = attempt([=] { partial_sums_kernel<<<blocks, block, bytes>>>(n, scratch); });
    if (error == cudaSuccess)
        error = attempt([=] { total_kernel<<<1, block, bytes>>>(scratch, blocks, n, pi); });
    return error;
}
