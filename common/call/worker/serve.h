/*
 * The worker's state, and how it serves each request.
 */
#ifndef CALL_WORKER_SERVE_H
#define CALL_WORKER_SERVE_H

#include "common/call/worker/buffers.h"
#include "common/call/worker/crash.h"
#include "common/call/worker/cuda.h"
#include "common/call/worker/timing.h"

struct worker {
    struct channel channel;
    struct cuda cuda;
    struct submission submission;
    struct timing timing;
    struct crash_scene crash;
    enum call_backend backend;
    uint8_t *shared; /* the client's memory; NULL before it came */
    size_t shared_bytes;
    void *pinned[CALL_MAX_ARGS];         /* places in it that the device reads by itself, or NULL */
    struct buffer placed[CALL_MAX_ARGS]; /* large inputs of the call to come */
    union wire_message message;          /* the request being served */
};

/* Waits for one request and answers it. False when the client is gone. */
bool serve(struct worker *worker);

/* Fills outcome, error and message of a reply from a CUDA error; `what` is the sentence's start:
 * "f returned". */
void serve_error(const struct worker *worker, int error, const char *what,
                 struct wire_reply *reply);

/* WIRE_PART (part.c). */
void serve_part(struct worker *worker, int fd);

/* WIRE_CALL, with all messages that belong to it, and WIRE_REPORT (call.c). */
void serve_call(struct worker *worker, int fd);
void serve_report(struct worker *worker, int fd);

#endif
