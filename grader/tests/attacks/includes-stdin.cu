// attack: 18 includes the terminal
// expect: compile_error 0

#include "sum_divergent.h"

#include "/dev/stdin"
#include "/proc/self/fd/0"
#error nothing came

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
