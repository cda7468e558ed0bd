// attack: 29 fails an assertion on the device
// expect: finding 0

#include "sum_divergent.h"

#include <cassert>

__global__ void fail(int *sum) { assert(*sum == 123456789); }

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    fail<<<1, 1>>>(sum);
    return cudaSuccess;
}
