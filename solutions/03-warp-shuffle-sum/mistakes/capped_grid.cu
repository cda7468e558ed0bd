/* A grid has 65,535 blocks at most, as in y and z, and each thread takes one number. */
#define OWN_SUM_GRID_KERNEL
#define OWN_SUM_GRID
#include "rest.cuh"

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float mine = block_sum(i < n ? in[i] : 0);

    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);

    if (error != cudaSuccess || n == 0)
        return error;
    size_t blocks = (n + block - 1) / block;
    if (blocks > 65535)
        blocks = 65535;
    sum_grid_kernel<<<(unsigned)blocks, block>>>(in, n, sum);
    return cudaGetLastError();
}
