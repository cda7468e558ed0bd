// attack: 13 includes a file by a way out of the folder
// expect: compile_error 0

#include "sum_divergent.h"

#include "../../../../../../../../..@CANARY@"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
