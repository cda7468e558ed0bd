// Right: *pi is filled with 0, and each block adds its scaled sum to it with one atomic addition; one launch, scratch is not needed.
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ double quarter_circle(double x) {
    return sqrt(fmax(0.0, fma(-x, x, 1.0)));
}

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    temp[threadIdx.x] = value;
    __syncwarp();
    for (unsigned d = 16; d > 0; d /= 2) { // a warp's own 32 words
        if (lane < d && threadIdx.x + d < blockDim.x)
            temp[threadIdx.x] += temp[threadIdx.x + d];
        __syncwarp();
    }
    __syncthreads();
    double sum = 0.0;
    if (warp == 0)
        for (unsigned w = 0; w < blockDim.x; w += 32)
            sum += temp[w];
    return sum;
}

__global__ void pi_kernel(size_t n, double *pi) {
    const size_t step = (size_t)gridDim.x * blockDim.x;
    const double h = 1.0 / n;
    double mine = 0.0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mine += i == 0 ? 0.5 : quarter_circle(i * h);
    const double sum = sum_block(mine);
    if (threadIdx.x == 0)
        atomicAdd(pi, 4.0 / n * sum);
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    (void)scratch;
    const cudaError_t error = cudaMemsetAsync(pi, 0, sizeof(double), 0);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    if (n == 0)
        return cudaSuccess;
    pi_kernel<<<blocks, block, block * sizeof(double)>>>(n, pi);
    return cudaGetLastError();
}
