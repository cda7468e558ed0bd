// attack: 25 makes a great many files
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    for (int i = 0; i < 20000; i++) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/warpbook-attack-%d", i);
        int fd = open(path, O_WRONLY | O_CREAT, 0666);
        if (fd < 0)
            break;
        close(fd);
    }
    return cudaSuccess;
}
