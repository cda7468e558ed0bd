// attack: 14 opens a file of the host
// expect: wrong_answer 0
// user: wrong_answer 0
// unsandboxed: leaks
// gpu: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    char line[256] = "";
    FILE *file = fopen("@CANARY@", "r");
    if (file && fgets(line, sizeof line, file))
        puts(line);
    return cudaSuccess;
}
