/* One block clears *sum, while others may have added already. */
#define OWN_SUM_GRID_KERNEL
#define OWN_SUM_GRID
#include "rest.cuh"

__global__ void sum_grid_kernel(const float *in, size_t n, float *sum) {
    const unsigned items = 16;
    size_t first = (size_t)blockIdx.x * blockDim.x * items + threadIdx.x;
    float mine = 0;

    if (blockIdx.x == 0 && threadIdx.x == 0)
        *sum = 0;
    for (unsigned k = 0; k < items; k++) {
        size_t i = first + (size_t)k * blockDim.x;
        if (i < n)
            mine += in[i];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

extern "C" cudaError_t sum_grid(const float *in, size_t n, unsigned block, float *sum) {
    if (n == 0)
        return cudaMemsetAsync(sum, 0, sizeof *sum);
    size_t tile = (size_t)block * 16;
    sum_grid_kernel<<<(unsigned)((n + tile - 1) / tile), block>>>(in, n, sum);
    return cudaGetLastError();
}
