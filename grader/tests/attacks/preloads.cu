// attack: 06 sets LD_PRELOAD and starts a program anew
// expect: wrong_answer 0
// user: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <cstdlib>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    setenv("LD_PRELOAD", "/tmp/evil.so", 1);
    if (system("echo @SECRET@") == 0)
        puts("@SECRET@");
    return cudaSuccess;
}
