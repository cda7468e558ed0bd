// attack: 10 sets the machine's clock and its own priority
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <ctime>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    struct timespec long_ago = {1000000000, 0};
    if (clock_settime(CLOCK_REALTIME, &long_ago) == 0 || nice(-20) != -1)
        puts("@SECRET@");
    return cudaSuccess;
}
