// attack: 22 ignores every signal and never returns
// expect: timeout 0

#include "sum_divergent.h"

#include <csignal>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (int i = 1; i < 65; i++)
        signal(i, SIG_IGN);
    for (;;)
        pause();
    return cudaSuccess;
}
