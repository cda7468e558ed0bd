// attack: 02 ends the process by _exit(0)
// expect: exited 0

#include "sum_divergent.h"

#include <cstdlib>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    _exit(0);
    return cudaSuccess;
}
