// attack: 24 takes memory by a mapping that grows downwards, which the limit takes for a stack
// expect: wrong_answer 0
// user: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <sys/mman.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const size_t bytes = (size_t)6 << 30;
    if (mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) !=
        MAP_FAILED)
        puts("@SECRET@");
    return cudaSuccess;
}
