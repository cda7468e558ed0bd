/*
 * Lines of host code: where in the student's file an instruction stands, by the line table that gcc
 * has put into the shared object. addr2line reads it, in a sandbox: the file is a stranger's.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/sandbox/sandbox.h"

struct sites_request {
    const char *object; /* the shared object */
    const char *source; /* name of the student's file, with or without folders */
    const struct sandbox_tools *sandbox;
    int interrupt_fd;
};

/* Lines of the student's file at one address: where several functions were inlined into each other,
 * that of the innermost first, then those of the calls that led there. */
struct site {
    unsigned lines[4], n_lines;
};

/* For each of the addresses of the object's file, its lines; none where it is of another file, or
 * where this machine has no addr2line. Code that nvcc makes for launches is none of the student's.
 */
void sites_find(const struct sites_request *request, const uint64_t *addresses, size_t n,
                struct site *sites);

/* The part of sites_find that reads what addr2line has printed, with -a, -f and -i; the output is
 * changed. `sites` are zeros. */
void sites_read(char *output, const char *source, size_t n, struct site *sites);
