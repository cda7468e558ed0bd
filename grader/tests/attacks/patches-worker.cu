// attack: 06 overwrites the worker's own code
// expect: crash 0

#include "sum_divergent.h"

#include <cstdio>
#include <cstring>
#include <sys/mman.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (strstr(line, "warpbook-worker") && strstr(line, "r-xp") &&
            sscanf(line, "%lx-%lx", &from, &to) == 2) {
            mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC);
            memset((void *)from, 0xcc, to - from);
        }
    }
    return cudaSuccess;
}
