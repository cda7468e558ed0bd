// attack: 27 kills itself as the kernel does it where memory is short
// expect: crash 0
// user: crash 0
// gpu: crash 0

#include "sum_divergent.h"

#include <csignal>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    raise(SIGKILL);
    return cudaSuccess;
}
