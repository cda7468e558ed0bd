// attack: 27 kills every process that it may
// expect: * 0
// user: * 0
// gpu: * 0

#include "sum_divergent.h"

#include <csignal>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    kill(-1, SIGKILL);
    kill(getppid(), SIGKILL);
    kill(@PID@, SIGKILL);
    kill(0, SIGKILL);
    return cudaSuccess;
}
