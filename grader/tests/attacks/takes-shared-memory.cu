// attack: 24 takes memory that no limit on private memory counts
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const size_t bytes = (size_t)16 << 30;
    if (mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED ||
        memfd_create("more", 0) >= 0 || shmget(IPC_PRIVATE, bytes, 0600) >= 0)
        puts("@SECRET@");
    return cudaSuccess;
}
