// attack: 13 embeds a file by the line directive and inline PTX
// expect: compile_error 0

#include "sum_divergent.h"

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    asm volatile(".incbin \"@CANARY@\"");
    return cudaSuccess;
}
