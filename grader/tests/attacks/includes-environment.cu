// attack: 15 has the assembler read process 1's environment
// expect: * 0
// user: wrong_answer 0
// unsandboxed: leaks

#include "sum_divergent.h"

asm(".include \"@ENVIRON@\"");

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    return cudaSuccess;
}
