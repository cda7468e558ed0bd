/*
 * The worker process as the client sees it: started with nothing of the client's but a socket and
 * a pipe for what it prints, ended with everything that it started.
 */
#ifndef CALL_PROCESS_H
#define CALL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/call/call.h"

struct call_process {
    pid_t pid;  /* also its process group; 0 for none */
    int pidfd;  /* readable once it has ended */
    int socket; /* our end */
    int output; /* our end of its stdout and stderr, non-blocking */
};

void process_init(struct call_process *process);

/* Starts the worker of `settings` in its sandbox. False, with a sentence in `error`, when that
 * fails; that a sandbox can't be had shows as its end. */
bool process_start(struct call_process *process, const struct call_settings *settings, char *error,
                   size_t error_bytes);

/* Kills the process and its group if they still run, reaps it, closes everything. Returns the wait
 * status (as waitpid's), or -1 when there was no process. */
int process_end(struct call_process *process);

#endif
