// attack: 02 ends the process while it is loaded
// expect: exited 0

#include "sum_divergent.h"

#include <cstdlib>

__attribute__((constructor)) static void leave(void) { exit(0); }

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
