/*
 * The server that workers are forked from: it has loaded the simulator's runtime and never a
 * submission, so that a worker starts in a fraction of the time that a process tree of its own
 * takes. It serves one worker at a time; the next one ends it.
 */
#ifndef CALL_WORKER_SERVER_H
#define CALL_WORKER_SERVER_H

#include <stdbool.h>

/* Serves `main`'s arguments, "WISH… -- [LIBRARY]": the wishes of confine.h, which each worker puts
 * on itself, and a library to load ahead. Returns in a worker, whose socket is WIRE_SOCKET; in the
 * server itself only where its arguments or its socket are wrong, with false. The server ends with
 * its client. */
bool server_run(int argc, char **argv);

#endif
