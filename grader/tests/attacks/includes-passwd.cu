// attack: 13 includes /etc/passwd
// expect: compile_error 0
// never: root:

#include "sum_divergent.h"

#include "/etc/passwd"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
