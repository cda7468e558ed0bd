/*
 * One message to the worker and the wait for its answer, while what the worker prints is drained
 * and its end is watched. Nothing that the worker does makes this wait beyond the deadline.
 */
#ifndef CALL_EXCHANGE_H
#define CALL_EXCHANGE_H

#include "common/call/process.h"
#include "common/call/validate.h"

/* What student code printed, bounded. */
struct call_output {
    char *text; /* CALL_OUTPUT_BYTES + 1 bytes */
    size_t used, dropped;
};

enum exchange_end {
    EXCHANGE_ANSWERED, /* `message` holds a valid answer */
    EXCHANGE_DEAD,     /* the process ended without one; `crash` may hold its last words */
    EXCHANGE_LATE,     /* the deadline passed */
    EXCHANGE_NONSENSE, /* it sent something else: `fault` says what */
    EXCHANGE_BROKEN,   /* our own failure: errno */
};

struct exchange {
    enum exchange_end end;
    union wire_message message;
    bool has_crash;
    struct wire_crash crash;
    const char *fault;
    double wall_ms; /* from the request to the answer or the end */
};

/* CLOCK_MONOTONIC in nanoseconds. */
int64_t exchange_now(void);

/* Sends `bytes` of a message, with a descriptor unless `fd` is negative. */
bool exchange_send(const struct call_process *process, const void *message, size_t bytes, int fd);

/* Waits until `deadline` (exchange_now's clock) for the answer to the request sent at `sent`. Where
 * expect->request is WIRE_COPY, expect->wall_ms is set on arrival. */
void exchange_await(const struct call_process *process, struct wire_expect *expect, int64_t sent,
                    int64_t deadline, struct call_output *output, struct exchange *exchange);

/* What lies in the socket although nobody waits for it. */
enum exchange_rest { EXCHANGE_NOTHING, EXCHANGE_CLOSED, EXCHANGE_MORE };
enum exchange_rest exchange_rest(const struct call_process *process);

/* True when the worker has ended. */
bool exchange_is_dead(const struct call_process *process);

/* Takes what is in the pipe now, without waiting. */
void exchange_drain(const struct call_process *process, struct call_output *output);

#endif
