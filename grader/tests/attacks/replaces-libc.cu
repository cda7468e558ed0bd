// attack: 05 defines memcpy, clock_gettime, ffi_call, send and main
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstddef>
#include <ctime>

extern "C" void ffi_call(void *, void (*)(void), void *, void **) {}
extern "C" long send(int, const void *, size_t, int) { return -1; }
extern "C" int clock_gettime(clockid_t, struct timespec *time)
{
    time->tv_sec = time->tv_nsec = 0;
    return 0;
}
int main(void) { return 0; }

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{

    return cudaSuccess;
}
