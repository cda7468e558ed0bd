// attack: 30 prints from the device without end
// expect: wrong_answer 0
// gpu: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>

__global__ void flood(void)
{
    for (int i = 0; i < 10; i++)
        printf("%d %d %d\n", blockIdx.x, threadIdx.x, i);
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    flood<<<64, 256>>>();
    return cudaSuccess;
}
