/*
 * The system calls that a confined program is refused (EPERM): those by which it would reach other
 * processes, make namespaces of its own, or meet parts of the kernel that no CUDA program needs and
 * in which holes were found. A list of what is forbidden, since a GPU's driver is free to use
 * whatever else it likes.
 */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#include <stdbool.h>

struct filter {
    bool may_fork;  /* may start processes, not only threads */
    bool may_share; /* may have shared memory without a file, which no limit bounds */
};

/* Puts the filter on this process and all that come of it; they can't take it off. 0 or an
 * errno. */
int filter_load(const struct filter *filter);

#endif
