// attack: 27 dies by abort
// expect: crash 0

#include "sum_divergent.h"

#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    abort();
    return cudaSuccess;
}
