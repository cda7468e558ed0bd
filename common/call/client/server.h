/*
 * Fork servers and what they fork, workers and simulators, as the client sees them. A fork server
 * is a process in the sandbox, started with nothing of the client's but a socket. Whoever holds it
 * asks it for workers, one at a time. A worker has a socket, a pipe for what it prints, and a life
 * line: it is killed when the client closes that, or dies.
 */
#pragma once

#include <sys/types.h>

#include "common/call/call.h"

struct call_server {
    pid_t pid;                      /* also its process group */
    int pidfd;                      /* readable once it has ended */
    int socket;                     /* our end */
    struct call_server *simulators; /* forks the simulators of its workers; NULL: there are none */
};

/* Starts a server and waits until it is ready. NULL, with a sentence in `error`, when that fails:
 * no program, no sandbox. */
struct call_server *server_start(const struct call_settings *settings, char *error,
                                 size_t error_bytes);

/* A worker. */
struct call_process {
    int socket;      /* our end; -1 for none */
    int output;      /* our end of its stdout and stderr, non-blocking */
    int life;        /* socket to the fork server: readable once the worker has ended */
    int device_life; /* another's: of the simulator that it can't do without; -1 for none */
};

void call_process_init(struct call_process *process);

/* Has the server fork a worker, which gets a socket as its WIRE_LINK unless `link` is negative.
 * False, with errno, when that fails; whatever fails after that shows as its end. */
bool call_process_start(struct call_process *process, const struct call_server *server, int link);

/* Ends the worker if it still runs, and closes everything. Returns its wait status (as waitpid
 * does); that of SIGKILL where the server does not say. */
int call_process_end(struct call_process *process, const struct call_server *server);
