// attack: 14 looks through home, solutions, tests and other submissions
// expect: wrong_answer 0
// unsandboxed: leaks
// gpu: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const char *const places[] = {"/etc/shadow", "/etc/passwd", "/root", "/home", "@ROOT@/solutions",
                                  "@ROOT@/labs", "@NEIGHBOUR@", "/proc/1/root/etc", "/var", "/opt"};
    for (const char *place : places)
        if (access(place, F_OK) == 0)
            puts("@SECRET@");
    return cudaSuccess;
}
