/*
 * The worker's state, how it receives requests and sends answers, and a function for each request.
 */
#pragma once

#include "common/call/worker/buffers.h"
#include "common/call/worker/crash.h"
#include "common/call/worker/cuda.h"
#include "common/call/worker/submission.h"
#include "common/call/worker/timing.h"

enum { WORKER_SINK_BYTES = 256 };

struct worker {
    struct cuda cuda;
    struct submission submission;
    struct timing timing;
    struct crash_scene crash;
    enum call_backend backend;
    uint8_t *shared; /* the client's memory; NULL before it came */
    size_t shared_bytes;
    void *pinned[CALL_MAX_ARGS]; /* places in it that the device reads by itself, or NULL */
    size_t pinned_bytes[CALL_MAX_ARGS];
    struct buffer placed[CALL_MAX_ARGS]; /* large inputs of the call to come */
    struct buffer held[CALL_MAX_ARGS];   /* of the call before */
    struct spares spares;                /* of calls before that */
    struct wire_device device;           /* all but its memory, once it is known */
    bool is_device_known;
    void *sink; /* simulator: device memory that copies in the default stream go to */
    union wire_message message; /* the request being served */
};

/* Waits for the next request, which goes to worker->message. `fd` becomes the descriptor that came
 * along, or -1. False when the client is gone or sent what this build does not know. */
bool worker_receive(struct worker *worker, int *fd);

/* Answers the request; the message's header is filled in here. Does not return where the socket is
 * gone: then student code has closed it, and the client is to see just that. */
void worker_send(const struct worker *worker, void *message, uint32_t kind);

/* A reply that all went well. */
struct wire_reply worker_reply(void);

/* Fills outcome, error and message of a reply from a CUDA error; `what` is the sentence's start:
 * "f returned". */
void worker_fail(const struct worker *worker, int error, const char *what,
                 struct wire_reply *reply);

/* WIRE_PART and WIRE_FETCH (buffers.c). */
void serve_part(struct worker *worker, int fd);

/* WIRE_CALL, with all messages that belong to it, and WIRE_REPORT (call.c). */
void serve_call(struct worker *worker, int fd);
void serve_report(struct worker *worker, int fd);
