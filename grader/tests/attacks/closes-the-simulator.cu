// attack: 03 closes all its descriptors, the simulator's among them, and goes on
// expect: timeout 0

#include "sum_divergent.h"

#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (int fd = 4; fd < 64; fd++)
        close(fd);
    return cudaMemset(sum, 0, sizeof *sum);
}
