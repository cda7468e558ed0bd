// attack: 29 writes far outside its buffers on the device
// expect: finding 0

#include "sum_divergent.h"

__global__ void stray(int *sum) { sum[1ll << 34] = 1; }

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    stray<<<1, 1>>>(sum);
    return cudaSuccess;
}
