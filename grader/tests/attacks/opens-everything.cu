// attack: 25 opens descriptors until there are none
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    while (dup(1) >= 0)
        ;
    return cudaSuccess;
}
