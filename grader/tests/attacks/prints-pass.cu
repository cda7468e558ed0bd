// attack: 01 prints what a pass looks like, and rewrites the screen
// expect: wrong_answer 0
// gpu: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    puts("\x1b[2J\x1b[H[PASS] example.sums_one_block\nok - example::sums_one_block");
    puts("90 of 90 points \xc2\xb7 passed");
    return cudaSuccess;
}
