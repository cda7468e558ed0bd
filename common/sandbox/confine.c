/*
 * warpbook-confine [NAME=NUMBER]… -- PROGRAM [ARGUMENT]…: becomes PROGRAM, which can't lift any of:
 *
 *   user=1        runs as a user that owns nothing, where it was root (in a sandbox, of bubblewrap)
 *   fork=0        it can't start processes, threads alone
 *   shared=0      no shared memory without a file behind it, which memory= would not count
 *   processes=, open=, memory=, file=   the kernel's limits, of sandbox.h's struct sandbox
 *
 * and in any case: dies with its starter, dumps no core, gains no privileges, and is refused the
 * system calls of filter.h. Exit status 125 where a limit can't be had, 127 where there is no
 * PROGRAM.
 */
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/sandbox/filter.h"

enum {
    STATUS_REFUSED = 125,
    STATUS_NO_PROGRAM = 127,
    USERS_FROM = 0x70000000, /* user numbers that no system gives to anybody */
    USERS_MASK = 0x0fffffff,
    NOBODY = 65534,
};

struct wish {
    bool is_user;
    struct filter filter;
};

static _Noreturn void refuse(const char *what) {
    fprintf(stderr, "warpbook-confine: %s: %s\n", what, strerror(errno));
    _exit(STATUS_REFUSED);
}

/* Lowers a limit, soft and hard; never lifts one that is stricter already. */
static void lower(__rlimit_resource_t resource, rlim_t bound, const char *what) {
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0)
        refuse(what);
    if (limit.rlim_max > bound)
        limit.rlim_max = bound;
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    if (setrlimit(resource, &limit) != 0)
        refuse(what);
}

/* A user nobody else is; one of the few that a container may have where that can't be. */
static void become_nobody(void) {
    unsigned user = 0;

    if (getuid() != 0)
        return;
    if (getrandom(&user, sizeof user, 0) != sizeof user)
        refuse("a random number");
    user = USERS_FROM | (user & USERS_MASK);
    if (setgroups(0, NULL) != 0)
        refuse("leaving all groups");
    if ((setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) &&
        (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0))
        refuse("becoming another user");
}

static void take(struct wish *wish, char *word) {
    static const struct {
        const char *name;
        __rlimit_resource_t resource;
    } limits[] = {
        {"processes", RLIMIT_NPROC},
        {"open", RLIMIT_NOFILE},
        {"file", RLIMIT_FSIZE},
        {"memory", RLIMIT_DATA},
    };
    char *value = strchr(word, '='), *end;
    errno = EINVAL;
    if (!value)
        refuse(word);
    *value++ = '\0';
    uint64_t number = strtoull(value, &end, 10);
    if (*end)
        refuse(word);
    if (strcmp(word, "user") == 0)
        wish->is_user = number != 0;
    else if (strcmp(word, "fork") == 0)
        wish->filter.may_fork = number != 0;
    else if (strcmp(word, "shared") == 0)
        wish->filter.may_share = number != 0;
    else {
        size_t i = 0;
        while (i < sizeof limits / sizeof *limits && strcmp(word, limits[i].name) != 0)
            i++;
        if (i == sizeof limits / sizeof *limits)
            refuse(word);
#ifdef __SANITIZE_ADDRESS__
        if (limits[i].resource == RLIMIT_DATA)
            return; /* the sanitizer's shadow is private memory of terabytes */
#endif
        lower(limits[i].resource, number, word);
    }
}

int main(int argc, char **argv) {
    struct wish wish = {.filter = {.may_fork = true, .may_share = true}};
    int i = 1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (; i < argc && strcmp(argv[i], "--") != 0; i++)
        take(&wish, argv[i]);
    if (i + 1 >= argc) {
        fputs("warpbook-confine is started by Warpbook, not by hand\n", stderr);
        return STATUS_REFUSED;
    }
    if (wish.is_user)
        become_nobody();
    lower(RLIMIT_CORE, 0, "core");
    lower(RLIMIT_MSGQUEUE, 0, "message queues");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    unsetenv("PWD"); /* bubblewrap's own */
    errno = filter_load(&wish.filter);
    if (errno)
        refuse("the filter of system calls");
    execv(argv[i + 1], argv + i + 1);
    fprintf(stderr, "warpbook-confine: %s: %s\n", argv[i + 1], strerror(errno));
    return STATUS_NO_PROGRAM;
}
