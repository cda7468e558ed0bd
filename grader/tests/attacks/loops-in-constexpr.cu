// attack: 18 computes without end while it is compiled
// expect: compile_error 0

#include "sum_divergent.h"

constexpr unsigned spin(unsigned n)
{
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++)
        x = x * 3 + i;
    return x;
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    static_assert(spin(1u << 31) == 1, "");
    return cudaSuccess;
}
