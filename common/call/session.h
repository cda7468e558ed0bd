/*
 * A worker as the client's calls use it: it is started, told what to load, asked, and discarded at
 * the first sign of trouble.
 */
#ifndef CALL_SESSION_H
#define CALL_SESSION_H

#include "common/call/outcome.h"
#include "common/call/share.h"

struct call_worker {
    struct call_settings settings;           /* strings are ours */
    struct call_server *server, *own_server; /* that starts its processes; NULL for none yet */
    struct call_process process;
    bool is_open, is_loaded; /* what the running process has done */
    bool has_share;          /* it has the present shared memory */
    struct call_share share;
    uint64_t sequence, n_calls;
    struct exchange exchange;
    struct wire_call call;
    int granted_ms; /* for that call */
};

/* Ends the process; the next call starts another. Returns the wait status. */
int session_discard(struct call_worker *worker);

/* The header of the next request. */
struct wire_header session_header(struct call_worker *worker, uint32_t kind, size_t bytes);

/* Makes sure that a worker runs with its CUDA runtime loaded; session_load, the submission too. On
 * false, `result` says why. */
bool session_start(struct call_worker *worker, struct call_output *output,
                   struct call_result *result);
bool session_load(struct call_worker *worker, struct call_output *output,
                  struct call_result *result);

/* One request, with a descriptor unless `fd` is negative, and its answer in worker->exchange. On
 * anything but an answer the worker is gone and `result` filled. */
bool session_ask(struct call_worker *worker, const void *request, size_t bytes, int fd,
                 struct wire_expect *expect, int64_t limit_ms, const struct outcome_scene *scene,
                 struct call_output *output, struct call_result *result);

/* Takes a valid reply over; a worker that failed is not asked again. */
enum call_outcome session_take_reply(struct call_worker *worker, struct call_result *result);

#endif
