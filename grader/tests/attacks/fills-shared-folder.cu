// attack: 24 takes memory by files in memory: /dev/shm, /tmp and what has no name
// expect: wrong_answer 0
// user: wrong_answer 0

#include "sum_divergent.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const size_t part = 1 << 20, most = (size_t)1 << 30;
    char *bytes = (char *)malloc(part), name[64];
    const char *const folders[] = {"/dev/shm", "/tmp", "/dev", "/run", "/var/tmp"};
    size_t taken = 0;
    for (const char *folder : folders)
        for (int i = 0; i < 20; i++)
        {
            snprintf(name, sizeof name, "%s/warpbook-attack-%d", folder, i);
            int fd = open(name, O_RDWR | O_CREAT, 0600);
            for (ssize_t got = 1; fd >= 0 && got > 0 && taken < most; taken += got > 0 ? got : 0)
                got = write(fd, bytes, part);
        }
    if (taken >= most / 4 || syscall(SYS_memfd_create, "more", 0) >= 0 || syscall(447, 0) >= 0)
        puts("@SECRET@");
    return cudaSuccess;
}
