// attack: 20 makes nvcc write a file of 300 MB
// expect: compile_error 0
// never: bug report

#include "sum_divergent.h"

static int large[75000000] = {1};

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    sum[0] = large[n];
    return cudaSuccess;
}
