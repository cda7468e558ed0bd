/*
 * Operations that are put into streams (kernels, copies, fills, events, functions of the host), and
 * the order in which they run.
 *
 * Without a seed an operation runs within its call. With a seed it is only queued, and runs when
 * the program waits for it, in an order drawn from the seed: any that streams, events and the
 * legacy default stream allow. A program that lacks a synchronisation then sees an order that it
 * did not expect.
 *
 * Time is a model, so that it is the same in each run: an operation begins when the call was
 * made, its stream and what it waits for are done, and its engine is free (one for kernels, one for
 * each direction of copies); it takes as long as devices.h says. The host takes no time but to
 * wait.
 */
#pragma once

#include "common/simt/cudart/cudart.h"

enum cudart_engine {
    CUDART_ENGINE_NONE,
    CUDART_ENGINE_COMPUTE,
    CUDART_ENGINE_TO_DEVICE,
    CUDART_ENGINE_FROM_DEVICE,
};

struct cudart_op;

/* What a kind of operation does. */
struct cudart_op_kind {
    /* Runs it, with the device locked; sets op->ms. An error here comes too late for the call
     * that asked for it and is returned only where that call waits. */
    cudaError_t (*run)(struct cudart *rt, struct cudart_op *op);
    /* Whether it may be done as far as anything but streams is concerned; NULL: always. */
    bool (*is_ready)(const struct cudart_op *op);
    /* Frees what it holds, also where it was never done; NULL: nothing. */
    void (*finish)(struct cudart_op *op);
    enum cudart_engine engine;
    bool is_asked; /* the program asks for it by a call of its own: simtWatchCalls */
};

/* The beginning of every operation; what it needs more follows in a struct of its own. */
struct cudart_op {
    const struct cudart_op_kind *kind;
    enum cudart_engine engine; /* kind->engine where it is not set */
    struct cudart_op *next;    /* in its stream */
    struct CUstream_st *stream;
    uint64_t serial;         /* order of issue */
    double issued_ms;        /* host's time of the call */
    double ms;               /* how long it takes */
    struct simt_clock clock; /* what comes before it: "what is ordered with what", below */
    bool is_callers;         /* the program that loaded the runtime asked for it: simtCallers */
};

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    uint64_t id;
    bool is_hidden; /* the default streams: no handle of theirs is a pointer to them */
    bool is_gone;   /* destroyed: it has no handle any more, and ends when its work is done */
    bool is_busy;   /* a host function of it runs, without the lock */
    uint64_t rank;  /* drawn: who goes first */
    double done_ms; /* when its last operation ended */
    struct cudart_op *first, *last;
    struct simt_clock clock; /* of the operation that was put into it last */
};

/* Puts an operation of `bytes` bytes into a stream, or runs it at once. Takes what it holds over,
 * also on an error. `stream` is a handle; it has been found to exist. */
cudaError_t cudart_submit(struct cudart *rt, cudaStream_t stream, struct cudart_op *op,
                          size_t bytes);

/* Runs operations until none is left, in a stream or (NULL) in all; the host's time is that of
 * their end. The sticky error, if there is one. */
cudaError_t cudart_wait(struct cudart *rt, struct CUstream_st *stream);

/* The same for a call that does nothing else. It may be refused where there is something that the
 * host has not waited for yet, and waits all the same. */
cudaError_t cudart_wait_only(struct cudart *rt, struct CUstream_st *stream);

/* Does one operation, any that may be done now; false when there is none. */
bool cudart_step(struct cudart *rt);

/* Frees the streams that were destroyed and whose work is done. */
void cudart_sweep_streams(struct cudart *rt);

/* Forgets all operations that have not run: the context is lost. */
void cudart_drop_ops(struct cudart *rt);

/* The stream behind a handle: also the default streams, made when they are first used. NULL where
 * there is none, or no memory. */
struct CUstream_st *cudart_stream(struct cudart *rt, cudaStream_t handle);

/* Events and streams that the program has made, and not destroyed. */
size_t cudart_count_events(const struct cudart *rt);
size_t cudart_count_streams(const struct cudart *rt);

/* cudart_enter for a call with a stream: cudaErrorInvalidResourceHandle where there is no such. */
cudaError_t cudart_enter_stream(struct cudart **rt, cudaStream_t stream);

/* --- what is ordered with what: clocks (simt.h) of streams, events, operations and the host. They
 * are those of the calls, whatever order a seed draws. All threads of the host share one. */

void cudart_join(struct simt_clock *clock, const struct simt_clock *other);

/* Whether all that `other` knows of comes before `clock`, too. */
bool cudart_covers(const struct simt_clock *clock, const struct simt_clock *other);

/* Two streams wait for each other: one is the legacy default stream. */
bool cudart_are_ordered(const struct cudart *rt, const struct CUstream_st *a,
                        const struct CUstream_st *b);

/* The operation gets its clock: it is put into its stream now. */
void cudart_order(struct cudart *rt, struct cudart_op *op);

/* The host has waited for a stream, or (NULL) for all. */
void cudart_host_waited(struct cudart *rt, const struct CUstream_st *stream);

/* The operation, which runs now, is about to touch device memory. Where the program has one stream
 * only there is nothing to look for. */
void cudart_touch(struct cudart *rt, const struct cudart_op *op, const char *what);
