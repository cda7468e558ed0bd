// attack: 14 writes to a file of the host
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    FILE *file = fopen("@CANARY@", "w");
    if (file && fputs("gone", file) >= 0 && fclose(file) == 0)
        puts("@SECRET@");
    return cudaSuccess;
}
