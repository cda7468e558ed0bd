/*
 * What a process gives up for good before it becomes a program that nobody trusts, or loads its
 * code. An option is a word NAME=NUMBER:
 *
 *   user=1        become a user that owns nothing, where it was root
 *   fork=0        start no processes, only threads
 *   shared=0      have no shared memory without a file behind it, which memory= would not count
 *   processes=, open=, memory=, file=   the kernel's limits, as in sandbox.h's struct sandbox
 *
 * and in any case: no capability, no core dump, no gain of privileges, no stack beyond 64 MiB, and
 * a filter that refuses system calls (EPERM) by which it would reach other processes, make
 * namespaces of its own, or meet parts of the kernel that no CUDA program needs and in which holes
 * were found. The filter lists what is forbidden, since a GPU's driver is free to use whatever else
 * it likes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CONFINE_REFUSED = 125 }; /* exit status where an option can't be had */

enum confine_limit {
    CONFINE_PROCESSES,
    CONFINE_OPEN,
    CONFINE_MEMORY,
    CONFINE_FILE,
    CONFINE_LIMITS
};

struct confine {
    bool is_user;   /* becomes a user that owns nothing */
    bool may_fork;  /* may start processes, not only threads */
    bool may_share; /* may have shared memory without a file */
    bool is_limited[CONFINE_LIMITS];
    uint64_t limit[CONFINE_LIMITS];
    void *filter; /* of system calls, ready to be loaded; NULL: it is made when it is needed */
    unsigned short n_filter;
};

/* No option yet. */
void confine_init(struct confine *confine);

/* Takes one option; false for a word that is none. */
bool confine_take(struct confine *confine, const char *word);

/* Makes the filter ahead, for a process that forks many which give everything up: it takes longer
 * to make than all the rest. Where that fails, each makes its own. */
void confine_prepare(struct confine *confine);

/* Gives everything up; the process must have one thread. NULL, or with errno the name of what can't
 * be had. */
const char *confine_apply(const struct confine *confine);
