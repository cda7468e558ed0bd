// attack: 29 traps on the device
// expect: finding 0

#include "sum_divergent.h"

__global__ void trap(void) { asm volatile("trap;"); }

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    trap<<<1, 1>>>();
    return cudaSuccess;
}
