// attack: 22 never returns
// expect: timeout 0
// gpu: timeout 0

#include "sum_divergent.h"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (volatile int i = 0;; i++)
        ;
    return cudaSuccess;
}
