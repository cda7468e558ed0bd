// Wrong: atomicInc is to wrap the count of blocks that are done, but wraps one block too late, so the count is not 0 at the end; the second call never finds its last block, and *pi is not written.
// Kind: atomic
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ unsigned blocks_done;

__device__ double quarter_circle(double x) {
    return sqrt(fmax(0.0, 1.0 - x * x));
}

__device__ double sum_block(double value) {
    extern __shared__ double temp[];
    __syncthreads();
    temp[threadIdx.x] = value;
    __syncthreads();
    for (unsigned n = blockDim.x; n > 1; n = (n + 1) / 2) {
        const unsigned h = (n + 1) / 2;
        if (threadIdx.x + h < n)
            temp[threadIdx.x] += temp[threadIdx.x + h];
        __syncthreads();
    }
    return temp[0];
}

/* One launch: the block that is done last adds up what the others have left. */
__global__ void pi_kernel(size_t n, volatile double *partials, double *pi) {
    __shared__ bool last;
    const double h = 1.0 / n;
    double sum = 0.0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += i ? quarter_circle(i * h) : 0.5;
    sum = sum_block(sum);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = 0.0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *pi = 4.0 / n * sum;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    if (n == 0) {
        const cudaError_t error = cudaMemsetAsync(pi, 0, sizeof *pi, 0);
        if (error)
            cudaGetLastError();
        return error;
    }
    pi_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch, pi);
    return cudaGetLastError();
}
