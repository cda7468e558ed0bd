// Wrong: each thread has (n + 1) / threads neighbouring points, and the last one takes the rest, too; with fewer points than threads a single lane does the work of all.
// Kind: technique
#include "pi_trapezoid.h"

extern "C" const int predicted_error_ratio_percent = 283;
extern "C" const int predicted_log2_intervals = 14;
extern "C" const int predicted_load_sectors = 0;
extern "C" const int predicted_barriers_of_a_warp = 9;

__device__ double quarter_circle(double x) { return sqrt(fmax(1.0 - x * x, 0.0)); }

__device__ double sum_block(double value) {
    extern __shared__ double buffer[];
    unsigned rank = threadIdx.x, active = blockDim.x;
    buffer[rank] = value;
    __syncthreads();
    while (active > 1) {
        unsigned half = (active + 1) / 2;
        if (rank < active / 2)
            buffer[rank] += buffer[rank + half];
        __syncthreads();
        active = half;
    }
    return buffer[0];
}

__global__ void partial_sums_kernel(size_t n, double *partials) {
    const size_t size = (size_t)gridDim.x * blockDim.x;
    const size_t rank = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t points = n + 1, base = points / size, rest = points % size;
    const size_t begin = rank * base + 0;
    const size_t end = begin + base + (rank == size - 1 ? rest : 0);
    const double h = 1.0 / n;
    double local = 0.0;
    for (size_t i = begin; i < end; i++) {
        double weight = (i == 0 || i == n) ? 0.5 : 1.0;
        local += weight * quarter_circle(i * h);
    }
    double reduced = sum_block(local);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = reduced;
}

__global__ void total_kernel(const double *partials, unsigned count, size_t n, double *pi) {
    double local = 0.0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        local += partials[i];
    double reduced = sum_block(local);
    if (threadIdx.x == 0)
        *pi = 4.0 / n * reduced;
}

extern "C" cudaError_t pi_trapezoid(size_t n, unsigned block, unsigned blocks, double *scratch,
                                    double *pi) {
    cudaError_t rc;
    if (n == 0) {
        rc = cudaMemset(pi, 0, sizeof(double));
        if (rc != cudaSuccess)
            cudaGetLastError();
        return rc;
    }
    partial_sums_kernel<<<blocks, block, block * sizeof(double)>>>(n, scratch);
    rc = cudaGetLastError();
    if (rc != cudaSuccess)
        return rc;
    total_kernel<<<1, block, block * sizeof(double)>>>(scratch, blocks, n, pi);
    return cudaGetLastError();
}
