/*
 * The queues of operations, and the choice of the one that runs next.
 */
#include "common/simt/cudart/stream/operation.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/splitmix.h"
#include "common/simt/cudart/watch.h"
#include "common/simt/program/edit/edit.h"

/* One in this many operations gives all streams new ranks: between, one stream goes ahead of
 * the others as far as it can. */
enum { REDRAW = 4 };

static double later(double a, double b) {
    return a > b ? a : b;
}

static bool is_ready(const struct cudart *rt, const struct cudart_op *op) {
    for (const struct CUstream_st *s = rt->streams; s; s = s->next) {
        if (!cudart_are_ordered(rt, op->stream, s))
            continue;
        if (s->is_busy || (s->first && s->first->serial < op->serial))
            return false;
    }
    return !op->kind->is_ready || op->kind->is_ready(op);
}

/* The model's time of an operation that was just done. */
static void keep_time(struct cudart *rt, const struct cudart_op *op) {
    struct CUstream_st *stream = op->stream;
    double start = later(op->issued_ms, stream->done_ms);
    for (const struct CUstream_st *s = rt->streams; s; s = s->next)
        if (cudart_are_ordered(rt, stream, s))
            start = later(start, s->done_ms);
    if (op->engine != CUDART_ENGINE_NONE)
        start = later(start, rt->engine_ms[op->engine]);
    stream->done_ms = start + op->ms;
    if (op->engine != CUDART_ENGINE_NONE)
        rt->engine_ms[op->engine] = stream->done_ms;
}

static cudaError_t run_op(struct cudart *rt, struct cudart_op *op) {
    cudaError_t error = op->kind->run(rt, op);
    simt_end_work(rt->simt);
    keep_time(rt, op);
    if (op->kind->finish)
        op->kind->finish(op);
    return error;
}

static void rank_streams(struct cudart *rt) {
    for (struct CUstream_st *s = rt->streams; s; s = s->next)
        s->rank = splitmix_next(&rt->random);
}

static struct CUstream_st *choose(struct cudart *rt) {
    struct CUstream_st *best = NULL;
    if (splitmix_next(&rt->random) % REDRAW == 0)
        rank_streams(rt);
    for (struct CUstream_st *s = rt->streams; s; s = s->next)
        if (s->first && !s->is_busy && (!best || s->rank > best->rank) && is_ready(rt, s->first))
            best = s;
    return best;
}

bool cudart_step(struct cudart *rt) {
    struct CUstream_st *stream = choose(rt);
    if (!stream)
        return false;
    struct cudart_op *op = stream->first;
    stream->first = op->next;
    if (!stream->first)
        stream->last = NULL;
    stream->is_busy = true;
    cudaError_t error = run_op(rt, op);
    stream->is_busy = false;
    pthread_cond_broadcast(&rt->idle);
    free(op);
    /* Too late for the call: it is the context's, as where a copy of hardware fails on its way. */
    if (error != cudaSuccess && rt->sticky == cudaSuccess)
        rt->sticky = error;
    if (rt->sticky != cudaSuccess)
        cudart_drop_ops(rt);
    cudart_sweep_streams(rt);
    return true;
}

void cudart_drop_ops(struct cudart *rt) {
    for (struct CUstream_st *s = rt->streams; s; s = s->next) {
        while (s->first) {
            struct cudart_op *op = s->first;
            s->first = op->next;
            if (op->kind->finish)
                op->kind->finish(op);
            free(op);
        }
        s->last = NULL;
    }
}

static bool is_done(const struct cudart *rt, const struct CUstream_st *stream) {
    if (stream)
        return !stream->first && !stream->is_busy;
    for (const struct CUstream_st *s = rt->streams; s; s = s->next)
        if (s->first || s->is_busy)
            return false;
    return true;
}

cudaError_t cudart_wait(struct cudart *rt, struct CUstream_st *stream) {
    while (!is_done(rt, stream) && rt->sticky == cudaSuccess)
        if (!cudart_step(rt))
            pthread_cond_wait(&rt->idle, &rt->mutex); /* another thread runs a host function */
    cudart_host_waited(rt, stream);
    rt->n_waits++;
    if (!stream)
        rt->host_ms = later(rt->host_ms, rt->gone_ms);
    for (const struct CUstream_st *s = rt->streams; s; s = s->next)
        if (!stream || stream == s)
            rt->host_ms = later(rt->host_ms, s->done_ms);
    cudart_show_output(rt);
    return rt->sticky;
}

cudaError_t cudart_wait_only(struct cudart *rt, struct CUstream_st *stream) {
    bool is_known = stream || cudart_covers(&rt->host_clock, &rt->gone_clock);
    for (const struct CUstream_st *s = rt->streams; s; s = s->next)
        if (!stream || stream == s)
            is_known &= cudart_covers(&rt->host_clock, &s->clock);
    cudaError_t error = cudart_wait(rt, stream);
    if (error == cudaSuccess && !is_known)
        error = cudart_may_refuse(rt, SIMT_WAIT, cudaErrorUnknown);
    return error;
}

/* An edit: all happens in the order of the calls, and is ordered so. */
static bool is_one_stream(const struct cudart *rt) {
    return simt_find_edit(rt->simt, SIMT_EDIT_ONE_STREAM, NULL);
}

cudaError_t cudart_submit(struct cudart *rt, cudaStream_t handle, struct cudart_op *op,
                          size_t bytes) {
    struct CUstream_st *stream = cudart_stream(rt, handle);
    struct cudart_op *copy = NULL;
    const bool is_queued = rt->seed != 0 && !is_one_stream(rt);
    if (stream && is_queued)
        copy = malloc(bytes);
    if (!stream || (is_queued && !copy)) {
        if (op->kind->finish)
            op->kind->finish(op);
        return cudaErrorMemoryAllocation;
    }
    op->stream = stream;
    op->serial = ++rt->serial;
    op->issued_ms = rt->host_ms;
    op->is_callers = rt->is_callers;
    if (op->kind->is_asked)
        cudart_watch_asked();
    cudart_order(rt, op);
    if (op->engine == CUDART_ENGINE_NONE)
        op->engine = op->kind->engine;
    if (!copy)
        return run_op(rt, op);
    memcpy(copy, op, bytes);
    if (stream->last)
        stream->last->next = copy;
    else
        stream->first = copy;
    stream->last = copy;
    return cudaSuccess;
}

/* --- clocks: each is the join of those that come before */

void cudart_join(struct simt_clock *clock, const struct simt_clock *other) {
    for (unsigned i = 0; i < SIMT_QUEUES; i++)
        if (other->n[i] > clock->n[i])
            clock->n[i] = other->n[i];
}

bool cudart_covers(const struct simt_clock *clock, const struct simt_clock *other) {
    for (unsigned i = 0; i < SIMT_QUEUES; i++)
        if (other->n[i] > clock->n[i])
            return false;
    return true;
}

static bool is_blocking(const struct CUstream_st *stream) {
    return (stream->flags & cudaStreamNonBlocking) == 0;
}

bool cudart_are_ordered(const struct cudart *rt, const struct CUstream_st *a,
                        const struct CUstream_st *b) {
    return a != b && (a == rt->legacy || b == rt->legacy) && is_blocking(a) && is_blocking(b);
}

void cudart_sweep_streams(struct cudart *rt) {
    for (struct CUstream_st **link = &rt->streams; *link;) {
        struct CUstream_st *stream = *link;
        if (!stream->is_gone || !is_done(rt, stream)) {
            link = &stream->next;
            continue;
        }
        rt->gone_ms = later(rt->gone_ms, stream->done_ms);
        cudart_join(&rt->gone_clock, &stream->clock);
        if (is_blocking(stream))
            cudart_join(&rt->gone_blocking_clock, &stream->clock);
        *link = stream->next;
        free(stream);
    }
}

/* Streams share a queue where there are more of them than queues: then a race may be missed, and
 * none is made up. */
static unsigned queue_of(const struct CUstream_st *stream) {
    return (unsigned)(stream->id % SIMT_QUEUES);
}

void cudart_order(struct cudart *rt, struct cudart_op *op) {
    struct CUstream_st *stream = op->stream;
    cudart_join(&stream->clock, &rt->host_clock);
    for (const struct CUstream_st *s = rt->streams; s; s = s->next)
        if (cudart_are_ordered(rt, stream, s))
            cudart_join(&stream->clock, &s->clock);
    if (stream == rt->legacy)
        cudart_join(&stream->clock, &rt->gone_blocking_clock);
    stream->clock.n[queue_of(stream)] = ++rt->n_queued[queue_of(stream)];
    op->clock = stream->clock;
    op->clock.n_waits = rt->n_waits;
    if (is_one_stream(rt))
        cudart_host_waited(rt, NULL);
}

void cudart_host_waited(struct cudart *rt, const struct CUstream_st *stream) {
    for (const struct CUstream_st *s = rt->streams; s; s = s->next)
        if (!stream || stream == s)
            cudart_join(&rt->host_clock, &s->clock);
    if (!stream)
        cudart_join(&rt->host_clock, &rt->gone_clock);
}

void cudart_touch(struct cudart *rt, const struct cudart_op *op, const char *what) {
    if (op->is_callers)
        what = "the caller's work in the default stream";
    if (rt->n_streams > 1)
        simt_begin_work(rt->simt, queue_of(op->stream), &op->clock, what);
}
