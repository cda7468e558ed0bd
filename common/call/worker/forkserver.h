/*
 * The fork server: a process that has loaded the simulator's runtime but never a submission, and
 * forks each worker. (Simulators in processes of their own are forked in the same way.) A worker so
 * starts in a fraction of the time that a sandbox of its own takes. There is one worker at a time:
 * a request for another kills the one before. A simulator, in which no student code runs, may stay
 * for the next request instead.
 */
#pragma once

#include <stdbool.h>

/* Serves with `main`'s arguments, "OPTION… -- [LIBRARY]": options of sandbox/confine.h, by which
 * each worker confines itself, and what is given to `load_ahead` (NULL: nothing to load), which
 * loads what every worker needs. Returns true in each worker, whose socket is WIRE_SOCKET; in the
 * server only where its arguments or its socket are wrong, with false. The server ends with its
 * client. With `stays` a worker may take further requests. */
bool forkserver_run(int argc, char **argv, bool stays, void (*load_ahead)(const char *library));

/* In a worker that stays, once its client is gone: waits for the next one, whose socket and link
 * take the places of those before. False where there will be none. */
bool forkserver_next(void);
