// attack: 18 instantiates templates without end
// expect: compile_error 0

#include "sum_divergent.h"

template <int n> struct deep { static const int value = deep<n + 1>::value + deep<n + 2>::value; };

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    (void)deep<1>::value;
    return cudaSuccess;
}
