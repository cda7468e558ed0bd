// attack: 24 takes memory by a shared mapping of /dev/zero, which no limit on private memory counts
// expect: wrong_answer 0
// user: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const size_t bytes = (size_t)6 << 30;
    const char *const names[] = {"/dev/zero", "/dev/full", "/dev/null", "/dev/random"};
    for (const char *name : names)
    {
        int fd = open(name, O_RDWR);
        if (fd >= 0 && mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED)
            puts("@SECRET@");
    }
    return cudaSuccess;
}
