/*
 * One message to the worker and the wait for its answer. Meanwhile what the worker prints is read,
 * and its end is noticed. Nothing that the worker does makes the wait longer than its limit.
 */
#pragma once

#include "common/call/client/server.h"
#include "common/call/client/validate.h"

/* What student code printed, bounded. */
struct call_output {
    char *text; /* CALL_OUTPUT_BYTES + 1 bytes; NULL: everything is dropped */
    size_t used, dropped;
};

enum exchange_end {
    EXCHANGE_ANSWERED,  /* `message` holds a valid answer */
    EXCHANGE_DEAD,      /* the process ended without one; `crash` may hold its last message */
    EXCHANGE_LATE,      /* the limit passed */
    EXCHANGE_NONSENSE,  /* it sent something else: `fault` says what */
    EXCHANGE_NO_DEVICE, /* the simulator beside it has ended, or does not answer */
    EXCHANGE_BROKEN,    /* our own failure: errno */
};

struct exchange {
    enum exchange_end end;
    union wire_message message;
    bool has_crash;
    struct wire_crash crash;
    const char *fault;
    char said[192]; /* EXCHANGE_NO_DEVICE: what the simulator said last … */
    bool is_killed; /* … and that it was killed, not by us */
    double wall_ms; /* from the request to the answer or the end */
};

/* Sends a message, with a descriptor unless `fd` is negative, and waits at most `limit_ms` for its
 * answer. Where expect->request is WIRE_COPY, expect->wall_ms is set on arrival. */
void exchange_run(const struct call_process *process, const struct wire_header *message, int fd,
                  struct wire_expect *expect, int64_t limit_ms, struct call_output *output,
                  struct exchange *exchange);

/* What lies in the socket although nobody waits for it. */
enum exchange_rest { EXCHANGE_NOTHING, EXCHANGE_CLOSED, EXCHANGE_MORE };
enum exchange_rest exchange_rest(const struct call_process *process);

/* True when the worker has ended. */
bool exchange_is_dead(const struct call_process *process);
