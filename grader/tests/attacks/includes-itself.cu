// attack: 18 includes itself without end
// expect: compile_error 0

#include "sum_divergent.h"

#include __FILE__
#include __FILE__

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
