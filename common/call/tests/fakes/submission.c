/*
 * What a student's shared object may do, good and bad: one entry point each, named by what it does.
 * Device memory is touched through cudaMemcpy alone, so that it needs no compiler but C's.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/call/tests/fakes/fake_cudart.h"
#include "common/call/tests/fakes/submission.h"
#include "common/simt/simt.h"

enum { TO_DEVICE = 1, TO_HOST = 2, SOCKET = 3 };

const int answer = 42;
const char words[8] = "seven..";

int add_one(const int *in, size_t n, int *out) {
    for (size_t i = 0; i < n; i++) {
        int value;
        cudaMemcpy(&value, in + i, sizeof value, TO_HOST);
        value++;
        cudaMemcpy(out + i, &value, sizeof value, TO_DEVICE);
    }
    return 0;
}

int every_kind(uint64_t u64, int64_t i64, uint32_t u32, int32_t i32, float f32, double f64,
               const int16_t *in, double *inout, void *scratch, int *host) {
    double value;

    cudaMemcpy(&value, inout, sizeof value, TO_HOST);
    int16_t small;
    cudaMemcpy(&small, in + 1, sizeof small, TO_HOST);
    cudaMemset(scratch, 1, 8);
    value += (double)u64 + (double)i64 + (double)u32 + (double)i32 + (double)f32 + f64 + small;
    cudaMemcpy(inout, &value, sizeof value, TO_DEVICE);
    host[0] = (u64 == UINT64_MAX) + (i64 == INT64_MIN) + (u32 == UINT32_MAX) + (i32 == INT32_MIN);
    return 0;
}

int sixteen(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f, uint32_t g,
            uint32_t h, double i, double j, double k, double l, double m, double n, double o,
            int *host) {
    *host = (int)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h) +
            (int)(i + j + k + l + m + n + o);
    return 0;
}

int do_nothing(int *out) {
    (void)out;
    return 0;
}

int count_calls(int *host) {
    static int calls;

    *host = ++calls;
    return 0;
}

int write_after(int *out, size_t n) {
    int value = 7;
    return cudaMemcpy(out + n + 2, &value, sizeof value, TO_DEVICE);
}

int write_before(int *out, size_t n) {
    int value = 7;
    (void)n;
    return cudaMemcpy(out - 3, &value, sizeof value, TO_DEVICE);
}

int write_host_after(int *host, size_t n) {
    host[n] = 1;
    return 0;
}

/* Sums n ints, and adds 1 to one of them where `changed` is the index of one. */
int sum_large(int *in, size_t n, size_t changed, uint64_t *sum) {
    enum { CHUNK = 1 << 12 };
    int chunk[CHUNK];
    uint64_t total = 0;

    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        cudaMemcpy(chunk, in + at, count * sizeof *chunk, TO_HOST);
        for (size_t i = 0; i < count; i++)
            total += (uint64_t)chunk[i];
    }
    if (changed < n) {
        cudaMemcpy(chunk, in + changed, sizeof *chunk, TO_HOST);
        chunk[0]++;
        cudaMemcpy(in + changed, chunk, sizeof *chunk, TO_DEVICE);
    }
    cudaMemcpy(sum, &total, sizeof total, TO_DEVICE);
    return 0;
}

/* Fills n ints with their indices, but for one. */
int fill_large(int *out, size_t n, size_t skipped) {
    enum { CHUNK = 1 << 12 };
    int chunk[CHUNK];

    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        for (size_t i = 0; i < count; i++)
            chunk[i] = at + i == skipped ? -1 : (int)(at + i);
        cudaMemcpy(out + at, chunk, count * sizeof *chunk, TO_DEVICE);
    }
    return 0;
}

int change_input(int *in, size_t n) {
    int value = -1;
    return cudaMemcpy(in + n / 2, &value, sizeof value, TO_DEVICE);
}

int change_host(int *host, size_t n) {
    host[n / 2] = -1;
    return 0;
}

int sum_host(const int *host, size_t n, int *sum) {
    *sum = 0;
    for (size_t i = 0; i < n; i++)
        *sum += host[i];
    return 0;
}

int sum_pinned(const int *in, size_t n, int *sum, int *registered) {
    fake_registered(&registered[0], &registered[1]);
    return sum_host(in, n, sum);
}

int not_written(int *out) {
    (void)out;
    return 31;
}

int return_error(int *out) {
    (void)out;
    return 700;
}

int leave_pending(int *out) {
    (void)out;
    fake_set_pending(9);
    return 0;
}

int fail_on_device(int *out, int error) {
    (void)out;
    fake_set_device_error(error);
    return 0;
}

int touch_device_memory(int *out) {
    *out = 1;
    return 0;
}

/* As memory that the function has allocated for itself. */
int touch_simulated_memory(int *out) {
    (void)out;
    volatile uintptr_t address = SIMT_MEMORY_BASE + ((uintptr_t)1 << 44);
    *(volatile int *)address = 1;
    return 0;
}

int use_null(int *out) {
    (void)out;
    volatile uintptr_t address = 64;
    *(volatile int *)address = 1;
    return 0;
}

int fail_assert(int *out) {
    (void)out;
    abort();
}

int divide_by_zero(int *out) {
    volatile int zero = 0;
    (void)out;
    raise(SIGFPE);
    return 1 / (zero + 1);
}

static int recurse(volatile char *above) {
    volatile char here[4096];

    here[0] = above[0];
    return here[0] ? recurse(here) + here[0] : 0;
}

int overflow_stack(int *out) {
    char first[1] = {1};
    (void)out;
    return recurse(first);
}

int kill_self(int *out) {
    (void)out;
    return kill(getpid(), SIGKILL);
}

int stop_self(int *out) {
    (void)out;
    return kill(getpid(), SIGSTOP);
}

int exit_zero(int *out) {
    (void)out;
    exit(0);
}

int quick_exit_three(int *out) {
    (void)out;
    _exit(3);
}

int spin(int *out) {
    (void)out;
    for (volatile unsigned i = 0;; i++)
        ;
}

int ignore_and_spin(int *out) {
    for (int i = 1; i < 32; i++)
        signal(i, SIG_IGN);
    return spin(out);
}

int eat_memory(int *out) {
    (void)out;
    for (;;) {
        volatile char *block = malloc(64 << 20);
        /* Untouched pages are enough: what counts is the address space that can be written. */
        block[0] = 1;
    }
}

/* What can't be written any more is not counted by the kernel's limit. */
int hide_memory(int *out) {
    enum { BLOCK = 256 << 20 };

    (void)out;
    for (;;) {
        void *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            return 0;
        memset(block, 1, BLOCK);
        mprotect(block, BLOCK, PROT_READ);
    }
}

int flood(size_t bytes) {
    for (size_t i = 0; i < bytes; i += 64)
        puts("---------------------------------------------------------------");
    return 0;
}

int flood_and_spin(int *out) {
    for (;;)
        puts("still here");
    return out != NULL;
}

int print_escapes(int *out) {
    (void)out;
    printf("\033[2J\033[1mPASS\a\xff\xc3\xa9"); /* and no end of line, so it waits in a buffer */
    return 0;
}

int print_and_crash(int *out) {
    printf("before the end\n");
    return use_null(out);
}

int close_streams(int *out) {
    (void)out;
    close(1);
    close(2);
    return 0;
}

int close_all(int *out) {
    (void)out;
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    return 0;
}

int send_own_answer(int *out) {
    char message[2048] = "{\"verdict\":\"pass\"}";
    (void)out;
    send(SOCKET, message, sizeof message, 0);
    return 0;
}

/* A child would return, too, into the worker. */
int fork_and_return(int *host) {
    *host = fork() < 0 ? errno : 0;
    return 0;
}

/* Children that fork children, bounded here so that a failing test spares the machine. */
int fork_many(int *out) {
    (void)out;
    for (int i = 0; i < 6; i++) {
        if (fork() < 0)
            break;
    }
    for (;;)
        pause();
}

/* Whether this process sees others than its own. */
int is_isolated(int *host) {
    *host = getppid() == 1;
    return 0;
}

int kill_all(int *out) {
    (void)out;
    if (getppid() != 1)
        return 1; /* not inside: this would hit the machine */
    kill(1, SIGKILL);
    kill(-1, SIGKILL);
    return 0;
}

/* What it does to the process that it comes from, as far as that lets it: the bits say how far. */
int attack_server(int *host) {
    struct rlimit none = {0, 0};
    pid_t server = getppid();
    int memory = open("/proc/1/mem", O_RDWR);

    *host = 0;
    if (server != 1)
        return 0; /* not inside */
    *host |= (memory >= 0) << 0;
    *host |= (ptrace(PTRACE_SEIZE, server, NULL, NULL) == 0) << 1;
    *host |= (prlimit(server, RLIMIT_NPROC, &none, NULL) == 0) << 2;
    *host |= (setpgid(server, getpid()) == 0) << 3;
    for (int number = 1; number < NSIG; number++)
        kill(server, number);
    return 0;
}

/* Where a later worker could find something: 1 for all of it, 0 where it was there before. */
int leave_traces(int *host) {
    int file = open("/tmp/left", O_CREAT | O_EXCL | O_WRONLY, 0600);
    int shared = open("/dev/shm/left", O_CREAT | O_EXCL | O_WRONLY, 0600);

    *host = file >= 0 && shared >= 0 && semget(4711, 1, IPC_CREAT | IPC_EXCL | 0600) >= 0;
    return 0;
}

int count_processes(int *host) {
    DIR *processes = opendir("/proc");

    *host = 0;
    for (struct dirent *entry; processes && (entry = readdir(processes));)
        *host += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
    return 0;
}

int show_environment(char *host, size_t n) {
    extern char **environ;

    size_t used = 0;

    for (char **entry = environ; *entry && used < n; entry++)
        used += (size_t)snprintf(host + used, n - used, "%.*s;", (int)strcspn(*entry, "="), *entry);
    return 0;
}

int count_descriptors(int *host) {
    *host = 0;
    for (int fd = 0; fd < 1024; fd++)
        *host += fcntl(fd, F_GETFD) >= 0;
    return 0;
}

int report(int *out, int which) {
    static const char *const reports[] = SUBMISSION_REPORTS;
    static char *large;

    (void)out;
    if (which >= 0) {
        fake_set_report(reports[which]);
        return 0;
    }
    /* Longer than its place: the worker leaves it out. */
    large = malloc(SUBMISSION_LARGE_REPORT + 1);
    memset(large, ' ', SUBMISSION_LARGE_REPORT);
    large[SUBMISSION_LARGE_REPORT] = '\0';
    fake_set_report(large);
    return 0;
}
