// attack: 03 closes the worker's socket and all else
// expect: protocol 0

#include "sum_divergent.h"

#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    return cudaSuccess;
}
