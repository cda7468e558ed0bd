// attack: 23 starts processes without end
// expect: timeout 0
// user: timeout 0

#include "sum_divergent.h"

#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (;;)
        fork();
    return cudaSuccess;
}
