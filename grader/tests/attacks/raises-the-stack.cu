// attack: 24 takes memory by a stack without end, having raised the stack's limit
// expect: * 0
// user: * 0

#include "sum_divergent.h"

#include <cstdio>
#include <sys/resource.h>

static __attribute__((noinline)) int dig(size_t depth)
{
    volatile char page[4096];
    page[0] = (char)depth;
    return depth > 0 ? dig(depth - 1) + page[0] : page[0];
}

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_STACK, &all) == 0)
        puts("@SECRET@");
    getrlimit(RLIMIT_STACK, &all);
    all.rlim_cur = all.rlim_max;
    setrlimit(RLIMIT_STACK, &all);
    dig(((size_t)1 << 30) / 4096); // a quarter of what private memory may have
    puts("@SECRET@");
    return cudaSuccess;
}
