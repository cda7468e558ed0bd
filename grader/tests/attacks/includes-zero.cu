// attack: 18 includes a device without an end
// expect: compile_error 0

#include "sum_divergent.h"

#include "/dev/zero"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
