// attack: 24 takes all memory of the host
// expect: out_of_memory 0

#include "sum_divergent.h"

#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (;;) {
        char *more = (char *)malloc(64 << 20);
        if (!more)
            abort();
        more[0] = 1;
    }
    return cudaSuccess;
}
