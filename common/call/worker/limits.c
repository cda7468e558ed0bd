/*
 * Resource limits. Both the soft and the hard limit are set, so that student code can't lift them
 * (unless it runs as root, where only a sandbox helps).
 */
#include "common/call/worker/limits.h"

#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define GIB ((rlim_t)1 << 30)

/* Threads and processes: all of the user's, or those within the namespaces alone. */
enum { MAX_PROCESSES = 8192, MAX_PROCESSES_INSIDE = 1024 };

/* Lowers a limit, never lifts one that is stricter already. */
static void lower(__rlimit_resource_t resource, rlim_t bound) {
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0)
        return;
    if (limit.rlim_max > bound)
        limit.rlim_max = bound;
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

void limits_at_start(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_NPROC, MAX_PROCESSES);
}

void limits_inside(void) {
    lower(RLIMIT_NPROC, MAX_PROCESSES_INSIDE);
}

void limits_after_open(bool is_gpu) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#ifdef __SANITIZE_ADDRESS__
    (void)is_gpu; /* the sanitizer's shadow is private memory of terabytes */
#else
    lower(RLIMIT_DATA, is_gpu ? 16 * GIB : 4 * GIB);
    if (!is_gpu)
        lower(RLIMIT_FSIZE, GIB / 4);
#endif
}
