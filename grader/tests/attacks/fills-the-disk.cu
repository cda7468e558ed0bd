// attack: 25 writes files until there is no room
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    static char bytes[1 << 20];
    const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm", ".", "@SCRATCH@"};
    for (const char *folder : folders)
        for (int i = 0; i < 400; i++) {
            char path[512];
            snprintf(path, sizeof path, "%s/warpbook-attack-%d", folder, i);
            int fd = open(path, O_WRONLY | O_CREAT, 0666);
            if (fd < 0 || write(fd, bytes, sizeof bytes) < 0)
                break;
            close(fd);
        }
    return cudaSuccess;
}
