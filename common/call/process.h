/*
 * A worker as the client sees it: forked by a server, with nothing of the client's but a socket and
 * a pipe for what it prints, and ended when the client lets go of it.
 */
#ifndef CALL_PROCESS_H
#define CALL_PROCESS_H

#include "common/call/server.h"

struct call_process {
    int socket; /* our end; -1 for none */
    int output; /* our end of its stdout and stderr, non-blocking */
    int life;   /* readable once it has ended */
};

void process_init(struct call_process *process);

/* Has the server fork a worker. False, with errno, when that fails; whatever fails after that shows
 * as its end. */
bool process_start(struct call_process *process, const struct call_server *server);

/* Ends the worker if it still runs, and closes everything. Returns the wait status (as waitpid's):
 * that of SIGKILL where the server can't tell. */
int process_end(struct call_process *process, const struct call_server *server);

#endif
