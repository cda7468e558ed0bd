/* The number of blocks in 16 bits, which leave 0 of a power of two. */
#define OWN_SUM_GRID_KERNEL
#define OWN_SUM_GRID
#include "rest.cuh"

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float mine = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        mine += in[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum);

    if (error != cudaSuccess || n == 0)
        return error;
    size_t tile = (size_t)block * 16;
    unsigned short blocks = (n + tile - 1) / tile;
    sum_grid_kernel<<<blocks, block>>>(in, n, sum);
    return cudaGetLastError();
}
