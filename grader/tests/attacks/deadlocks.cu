// attack: 22 waits at a barrier that half of the block never reaches
// expect: finding 0
// test: example.sums_one_block

#include "sum_divergent.h"

__global__ void lock(int *sum)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        while (atomicAdd(sum, 0) != 123456789)
            ;
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    cudaMemset(sum, 0, sizeof *sum);
    lock<<<1, 64>>>(sum);
    return cudaSuccess;
}
