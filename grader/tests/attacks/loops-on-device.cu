// attack: 22 never ends on the device
// expect: timeout 0
// gpu: timeout 0

#include "sum_divergent.h"

__global__ void spin(int *sum)
{
    while (true)
        atomicAdd(sum, 1);
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    cudaMemset(sum, 0, sizeof *sum);
    spin<<<1, 1>>>(sum);
    return cudaSuccess;
}
