// attack: 28 leaves a daemon behind
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    return cudaSuccess;
}
