/*
 * A worker as the client's calls use it: it is started, told what to load, asked, and discarded at
 * the first sign of trouble.
 */
#ifndef CALL_CLIENT_SESSION_H
#define CALL_CLIENT_SESSION_H

#include "common/call/client/outcome.h"
#include "common/call/client/share.h"

struct call_worker {
    struct call_settings settings;           /* strings are ours */
    struct call_server *server, *own_server; /* that starts its processes; NULL for none yet */
    struct call_process process;
    bool is_open, is_loaded; /* what the running process has done */
    bool has_share;          /* it has the present shared memory */
    struct call_share share;
    uint64_t sequence, n_calls;
    bool keeps_shared; /* calls ask for what shared memory holds */
    struct exchange exchange;
    struct call_output output; /* of the running call */
    struct wire_call call;
    struct call_experiment experiment; /* its edits are those below */
    struct simt_edit edits[SIMT_MAX_EDITS];
    int granted_ms; /* for that call */
    struct call_conditions conditions;
};

/* Ends the process; the next call starts another. Returns the wait status. */
int session_discard(struct call_worker *worker);

/* Makes sure that a worker runs with its CUDA runtime loaded; session_load, the submission too. On
 * false, `result` says why. */
bool session_start(struct call_worker *worker, struct call_result *result);
bool session_load(struct call_worker *worker, struct call_result *result);

/* Sends one message, whose header is filled in here, with a descriptor unless `fd` is negative. Its
 * answer is in worker->exchange afterwards. On anything but an answer the worker is ended and
 * `result` filled. */
bool session_ask(struct call_worker *worker, void *message, uint32_t kind, int fd,
                 struct wire_expect *expect, int64_t limit_ms, const struct outcome_scene *scene,
                 struct call_result *result);

/* The same for a request that has one reply and takes no buffers along: asks, and takes the reply.
 * `name`: the function or variable that the request is about, NULL for none. */
enum call_outcome session_request(struct call_worker *worker, void *message, uint32_t kind,
                                  const char *name, int limit_ms, struct call_result *result);

/* Copies a valid reply to `result`; a worker that failed is ended. */
enum call_outcome session_take_reply(struct call_worker *worker, struct call_result *result);

#endif
