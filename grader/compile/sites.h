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

/* For each of the addresses of the object's file, the line of the student's file; 0 where it is
 * none, or where this machine has no addr2line. Of what was inlined the innermost line counts that
 * is in the file. Code that nvcc makes for launches is none of the student's. */
void sites_find(const struct sites_request *request, const uint64_t *sites, size_t n,
                unsigned *lines);

/* The part of sites_find that reads what addr2line has printed, with -a, -f and -i; the output is
 * changed. `lines` are zeros. */
void sites_read(char *output, const char *source, size_t n, unsigned *lines);
