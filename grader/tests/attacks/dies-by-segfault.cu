// attack: 27 dies by an access outside its memory
// expect: crash 0
// gpu: crash 0

#include "sum_divergent.h"

#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    *(volatile int *)8 = 1;
    return cudaSuccess;
}
