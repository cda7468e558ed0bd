// attack: 02 registers an end for later, and forges a success there
// expect: exited 0

#include "sum_divergent.h"

#include <cstdlib>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    atexit([] { _exit(0); });
    exit(1);
    return cudaSuccess;
}
