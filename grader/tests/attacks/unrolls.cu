// attack: 20 unrolls a loop a hundred million times
// expect: * 0
// seconds: 6

#include "sum_divergent.h"

__global__ void unrolled(int *sum)
{
#pragma unroll 100000000
    for (int i = 0; i < 100000000; i++)
        sum[i & 7] = sum[i & 3] * i + sum[(i * 7) & 1];
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    unrolled<<<1, 1>>>(sum);
    return cudaSuccess;
}
