// attack: 26 prints until it is stopped
// expect: timeout 0

#include "sum_divergent.h"

#include <cstring>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    static char bytes[65536];
    memset(bytes, 35, sizeof bytes);
    for (;;)
        write(1 + (n & 1), bytes, sizeof bytes) < 0 ? (void)0 : (void)0;
    return cudaSuccess;
}
