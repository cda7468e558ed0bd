/*
 * What a process takes from itself for good before it becomes a program that nobody trusts, or
 * loads one's code. A wish is a word NAME=NUMBER:
 *
 *   user=1        a user that owns nothing, where it was root
 *   fork=0        it can't start processes, threads alone
 *   shared=0      no shared memory without a file behind it, which memory= would not count
 *   processes=, open=, memory=, file=   the kernel's limits, of sandbox.h's struct sandbox
 *
 * and in any case: no capability, no core dump, no gain of privileges, no stack beyond 64 MiB, and
 * none of the system calls of filter.h.
 */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include <stdint.h>

#include "common/sandbox/filter.h"

enum { CONFINE_REFUSED = 125 }; /* exit status where a wish can't be had */

enum confine_limit {
    CONFINE_PROCESSES,
    CONFINE_OPEN,
    CONFINE_MEMORY,
    CONFINE_FILE,
    CONFINE_LIMITS
};

struct confine {
    bool is_user;
    struct filter filter;
    bool is_limited[CONFINE_LIMITS];
    uint64_t limit[CONFINE_LIMITS];
};

/* No wish yet. */
void confine_init(struct confine *confine);

/* False for a word that is none. */
bool confine_take(struct confine *confine, const char *word);

/* All of it; the process has one thread. NULL, or with errno the name of what can't be had. */
const char *confine_apply(const struct confine *confine);

#endif
