/*
 * On a fatal signal the worker tells the client where it was, before it dies of that signal.
 */
#pragma once

#include "common/call/worker/submission.h"

/* What the handler may look at; kept up to date by the worker, which owns it. */
struct crash_scene {
    pid_t pid; /* of the worker: a child that student code forked sends nothing */
    const struct submission *submission;
    struct wire_header request; /* that is being served */
    size_t n_args;
    struct {
        const void *start; /* of the device memory of an argument; NULL for none */
        size_t bytes;
    } args[CALL_MAX_ARGS];
};

/* Installs the handlers on a stack of their own. `scene` must stay. False when there is no memory
 * for the stack. */
bool crash_start(struct crash_scene *scene);

/* Puts the handlers back, in case student code replaced them. */
void crash_watch(void);
