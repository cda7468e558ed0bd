// attack: 06 loads the test program to look for answers
// expect: wrong_answer 0
// unsandboxed: leaks

#include "sum_divergent.h"

#include <cstdio>
#include <dlfcn.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    if (dlopen("@BUILD@/labs/01-divergent-reduction/tests/sum_divergent_tests", RTLD_NOW) ||
        access("@BUILD@/grader", F_OK) == 0)
        puts("@SECRET@");
    return cudaSuccess;
}
