// attack: 03 truncates every descriptor, so that reading the shared memory faults
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (int fd = 0; fd < 64; fd++)
        if (ftruncate(fd, 0) == 0)
            puts("@SECRET@");
    return cudaSuccess;
}
