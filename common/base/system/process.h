/*
 * Runs another program without a shell: its own process group, a time limit, bounded output, and an
 * end to it and all its children when the grader is interrupted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A socket between the program and whoever runs it. While a question is answered, the program's
 * time stands still. */
struct process_line {
    int fd;                        /* ours */
    int its_fd;                    /* the program's, as its descriptor PROCESS_LINE */
    bool (*answer)(void *context); /* `fd` can be read; false: nothing more is asked */
    void *context;
};
enum { PROCESS_LINE = 3 };

struct process {
    const char *path;        /* of the program */
    char *const *argv;       /* with argv[0], ends with NULL */
    char *const *envp;       /* NULL: the grader's own */
    const char *output_path; /* file that takes stdout and stderr; NULL captures them */
    int timeout_ms;
    int interrupt_fd;                /* readable when the grader is to stop, or -1 */
    const struct process_line *line; /* NULL: none */
};

struct process_result {
    enum { PROCESS_ENDED, PROCESS_NOT_STARTED, PROCESS_TIMED_OUT, PROCESS_INTERRUPTED } how;
    int error;       /* errno, where it was not started */
    int exit_status; /* of PROCESS_ENDED; 128 + signal where a signal ended it */
    char *output;    /* captured, NUL-terminated, the end left out beyond 1 MiB; never NULL */
    size_t output_bytes;
    double ms;
};

/* Runs to the end. The caller frees result->output. */
void process_run(const struct process *process, struct process_result *result);

/* Blocks SIGINT, SIGTERM and SIGHUP for the whole program and returns a file descriptor that turns
 * readable when one arrives (it is never read, so that everybody who waits sees it); -1 on failure.
 */
int process_interrupts(void);

/* True once the interrupt has come. */
bool process_is_interrupted(int interrupt_fd);

/* Kills and reaps all children of this process: those that it started and, where it is their
 * reaper, those that were left behind by a parent that is gone. */
void process_end_strays(void);

/* Milliseconds of a clock that only goes forward. */
double process_clock_ms(void);

/* The environment without the variables whose names begin with `prefix`, and with the `n` strings
 * "NAME=value" of `more`. The array is the caller's to free; the strings are borrowed. */
char **process_environment(const char *prefix, char *const *more, size_t n);
