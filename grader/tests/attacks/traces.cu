// attack: 15 traces and reads its parent and all others
// expect: wrong_answer 0
// user: wrong_answer 0
// unsandboxed: leaks

#include "sum_divergent.h"

#include <csignal>
#include <cstdio>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" cudaError_t sum_divergent(const int *in, size_t n, unsigned block, int *scratch, int *sum)
{
    char buffer[64];
    struct iovec here = {buffer, sizeof buffer}, there = {(void *)0x400000, sizeof buffer};
    for (int pid = 1; pid < 400; pid++)
        if (pid != getpid() && (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0 ||
                                process_vm_readv(pid, &here, 1, &there, 1, 0) > 0))
            puts("@SECRET@");
    if (kill(@PID@, 0) == 0)
        puts("@SECRET@");
    return cudaSuccess;
}
