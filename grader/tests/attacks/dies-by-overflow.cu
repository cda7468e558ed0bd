// attack: 27 dies by a stack without end
// expect: crash 0

#include "sum_divergent.h"

#include <cstdlib>

static int recurse(volatile int i)
{
    volatile char here[4096] = {0};
    return recurse(i + 1) + here[i & 7];
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    *(volatile int *)0 = recurse(1);
    return cudaSuccess;
}
