/*
 * A worker as the client's calls use it: it is started, told what to load, asked, and discarded at
 * the first sign of trouble.
 */
#pragma once

#include "common/call/client/outcome.h"
#include "common/call/client/share.h"
#include "common/simt/remote/wire.h"

struct call_worker {
    struct call_settings settings;           /* strings are ours */
    struct call_server *server, *own_server; /* that starts its processes; NULL for none yet */
    struct call_process process;
    bool is_open, is_loaded; /* what the running process has done */
    bool has_share;          /* it has the present shared memory */
    struct call_share share;
    /* The simulator beside it, where there is one. */
    struct call_process device;
    bool has_device_share, is_stopped; /* it has that memory; the worker is not served */
    struct call_share device_share;    /* device buffers lie here, all others in `share` */
    uint32_t device_sequence;
    uint32_t fetched; /* bit i: argument i of the call was brought back from there */
    struct remote_packet device_packet;
    uint64_t sequence, n_calls;
    bool keeps_shared; /* calls ask for what shared memory holds */
    struct exchange exchange;
    struct call_output output; /* of the running call */
    struct wire_call call;
    struct kept {
        uint64_t bytes; /* of a large input that it has from the call before; 0: none */
        const void *context;
    } kept[CALL_MAX_ARGS];
    struct call_experiment experiment; /* its edits are those below */
    struct simt_edit edits[SIMT_MAX_EDITS];
    int granted_ms; /* for that call */
    struct call_conditions conditions;
};

/* Ends the process, and the simulator beside it; the next call starts others. Returns the wait
 * status. */
int session_discard(struct call_worker *worker);

/* The same after an exchange of a call that did not end with an answer (worker->exchange); fills
 * `result`. */
void session_break(struct call_worker *worker, struct call_result *result);

/* Copies a report of so many bytes to `result`; where it can't be right, the processes are ended,
 * and `result` says so. */
bool session_take_report(struct call_worker *worker, uint64_t bytes, struct call_result *result);

/* True where the simulator is a process of its own. */
static inline bool session_is_apart(const struct call_worker *worker) {
    return worker->settings.backend == CALL_SIM && worker->settings.simulator;
}

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
