// attack: 22 never ends while it is loaded
// expect: timeout 0
// gpu: timeout 0

#include "sum_divergent.h"

__attribute__((constructor)) static void loop()
{
    for (volatile int i = 0;; i++)
        ;
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return cudaSuccess;
}
