/*
 * Runs a program that nobody trusts: nvcc on a stranger's file, or the worker that loads what nvcc
 * made of it. struct sandbox describes what the program may see and use; sandbox_command turns that
 * into a command line, which any way of starting a process takes:
 *
 *     bwrap …             bubblewrap: namespaces, the files that are seen, no network
 *     warpbook-confine …  inside: limits, an unprivileged user, a filter of system calls
 *     PROGRAM …
 *
 * or, for a trusted program that forks processes which nobody trusts, and confines each of them by
 * itself (confine.h):
 *
 *     bwrap … PROGRAM OPTION … -- …
 *
 * Inside there are /usr (read-only, without folders that are to be hidden), the linker's cache,
 * /proc of its own processes, the harmless devices, an empty /tmp of bounded size, and what the
 * description adds; no home, no network, no other process, no environment but the one described.
 * Descriptors that are not close-on-exec stay open. When the process that was started ends, all
 * inside end. Who starts it has to bound the time that it takes and what it prints.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SANDBOX_HIDDEN = 2 };

struct sandbox_tools {
    const char *confine; /* path of warpbook-confine; NULL: nothing at all around the program */
    const char *bwrap;   /* path of bubblewrap; NULL: limits and filter alone, all files seen */
    bool as_user; /* without bubblewrap, who starts it is root and the program a user that owns
                     nothing: it reads what everybody may */
    const char *hidden[SANDBOX_HIDDEN]; /* folders that stay out of sight where they lie below /usr,
                                           but for what a description adds; or NULL */
};

/* A file or folder outside, which is left out where it does not exist, and its name inside; NULL:
 * its own name, and with that the names to which links lead. */
struct sandbox_file {
    const char *outside, *inside;
    bool is_writable;
};

struct sandbox {
    const struct sandbox_file *files;
    size_t n_files;
    char *const *environment; /* "NAME=value", ends with NULL; nothing else is passed on */
    bool has_gpu;             /* NVIDIA's device files are there */
    bool is_server;           /* the program is trusted; the limits are for what it forks */
    bool may_fork;            /* else threads are all that it can start */
    unsigned n_processes;     /* and threads, at the same time */
    unsigned n_open_files;
    uint64_t memory_bytes; /* private memory that each process can write, as the kernel counts it; a
                              server looks at what is in use, too; shared memory without a file
                              can't be had, but for a GPU's runtime */
    uint64_t file_bytes;   /* of each file that it writes */
    uint64_t tmp_bytes;    /* of all that it writes to /tmp */
};

/* The command line that runs `argv` (argv[0] an absolute path, as seen inside) as described; ends
 * with NULL, begins with a path. A server gets the options of confine.h (none without `confine`),
 * then "--" and the rest of `argv`; it is process 1 there, which no process inside can stop or
 * kill, and has the capabilities that the options need. Without bubblewrap, names inside mean
 * nothing: `argv` has to use those outside. NULL without memory. */
char **sandbox_command(const struct sandbox_tools *tools, const struct sandbox *sandbox,
                       char *const *argv);
void sandbox_command_free(char **command);

/* The environment to start that command line with, and no other: those inside can read what
 * bubblewrap was started with, as it is their process 1, so it gets none. Without bubblewrap the
 * described one. */
char *const *sandbox_environment(const struct sandbox_tools *tools, const struct sandbox *sandbox);

/* Whether this machine lets us: runs nothing much inside. Else false, with what was said about it
 * in `why`. */
bool sandbox_probe(const struct sandbox_tools *tools, char *why, size_t why_bytes);
