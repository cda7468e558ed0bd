// attack: 13 includes the next file of a name
// expect: compile_error 0

#include "sum_divergent.h"

#include_next "@CANARY@"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
