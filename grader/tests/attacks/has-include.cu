// attack: 13 asks which files of the host there are
// expect: wrong_answer 0
// unsandboxed: leaks

#include "sum_divergent.h"

#include <cstdio>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    #if __has_include("@CANARY@") || __has_include("/etc/passwd")
    puts("@SECRET@");
    #endif
    return cudaSuccess;
}
