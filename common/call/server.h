/*
 * The server that workers are forked from, as the client sees it: a process in the sandbox, started
 * with nothing of the client's but a socket. Whoever has it starts workers by it, one at a time.
 */
#ifndef CALL_SERVER_H
#define CALL_SERVER_H

#include <sys/types.h>

#include "common/call/call.h"

struct call_server {
    pid_t pid;  /* also its process group */
    int pidfd;  /* readable once it has ended */
    int socket; /* our end */
};

/* Starts a server and waits until it is ready. NULL, with a sentence in `error`, when that fails:
 * no program, no sandbox. */
struct call_server *server_start(const struct call_settings *settings, char *error,
                                 size_t error_bytes);

/* Has it fork a worker that holds the worker's ends of these (wire.h). */
bool server_fork(const struct call_server *server, const int fds[]);

/* Ends it with all that it started. */
void server_kill(const struct call_server *server);

#endif
