// attack: 27 stops itself
// expect: timeout 0

#include "sum_divergent.h"

#include <csignal>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    raise(SIGSTOP);
    for (;;)
        pause();
    return cudaSuccess;
}
