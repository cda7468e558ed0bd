// attack: 20 declares 100 GB of constants
// expect: compile_error 0
// seconds: 6

#include "sum_divergent.h"

static int huge[25000000000] = {1};

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    sum[0] = huge[n];
    return cudaSuccess;
}
