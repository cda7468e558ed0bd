// attack: 07 copies the input where the result goes
// expect: cuda_error 0

#include "sum_divergent.h"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return cudaMemcpy(sum, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    return cudaSuccess;
}
