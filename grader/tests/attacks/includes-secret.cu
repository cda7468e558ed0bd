// attack: 13 includes a file of the host; the error would show its first line
// expect: compile_error 0
// user: compile_error 0
// unsandboxed: leaks

#include "sum_divergent.h"

#include "@CANARY@"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
