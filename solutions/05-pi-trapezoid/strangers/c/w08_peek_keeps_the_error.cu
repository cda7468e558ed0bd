// Wrong: launches are checked with cudaPeekAtLastError, which does not forget the error; after a call that was refused the next, good one is refused, too.
// Kind: error
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

static cudaError_t launched(void) { return cudaPeekAtLastError(); }

__device__ double quarter_circle(double x) {
    double c = 1 - x * x;
    if (c < 0)
        c = 0;
    return sqrt(c);
}

__device__ double sum_block(double value) {
    extern __shared__ double words[];
    words[threadIdx.x] = value;
    __syncthreads();
    for (unsigned gap = 1; gap < blockDim.x; gap *= 2) {
        if (threadIdx.x % (2 * gap) == 0 && threadIdx.x + gap < blockDim.x)
            words[threadIdx.x] += words[threadIdx.x + gap];
        __syncthreads();
    }
    return words[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const double width = 1.0 / n;
    const size_t threads = (size_t)blockDim.x * gridDim.x;
    double area = 0;
    for (size_t i = (size_t)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += threads) {
        double height = quarter_circle(width * i);
        if (i == 0)
            height /= 2;
        area += height;
    }
    area = sum_block(area);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = area;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double area = 0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        area += partials[i];
    area = sum_block(area);
    if (threadIdx.x == 0)
        *pi = area / n * 4;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    cudaError_t error;
    if (n == 0) {
        error = cudaMemset(pi, 0, sizeof(double));
        cudaGetLastError();
        return error;
    }
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    if ((error = launched()) != cudaSuccess)
        return error;
    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
    return launched();
}
