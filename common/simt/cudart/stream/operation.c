/*
 * The queues of work, and the choice of what is done next.
 */
#include "common/simt/cudart/stream/operation.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/splitmix.h"

/* One in this many pieces of work gives all streams new ranks: between, one stream goes ahead of
 * the others as far as it can. */
enum { REDRAW = 4 };

static double later(double a, double b) {
    return a > b ? a : b;
}

static bool is_ready(const struct cudart *rt, const struct cudart_work *work) {
    for (const struct CUstream_st *s = rt->streams; s != NULL; s = s->next) {
        if (!cudart_are_ordered(rt, work->stream, s))
            continue;
        if (s->is_busy || (s->first != NULL && s->first->serial < work->serial))
            return false;
    }
    return work->kind->is_ready == NULL || work->kind->is_ready(work);
}

/* The model's time of a piece of work that was just done. */
static void keep_time(struct cudart *rt, const struct cudart_work *work) {
    struct CUstream_st *stream = work->stream;
    double start = later(work->issued_ms, stream->done_ms);
    for (const struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        if (cudart_are_ordered(rt, stream, s))
            start = later(start, s->done_ms);
    if (work->engine != CUDART_ENGINE_NONE)
        start = later(start, rt->engine_ms[work->engine]);
    stream->done_ms = start + work->ms;
    if (work->engine != CUDART_ENGINE_NONE)
        rt->engine_ms[work->engine] = stream->done_ms;
}

static cudaError_t run(struct cudart *rt, struct cudart_work *work) {
    cudaError_t error = work->kind->run(rt, work);
    simt_end_work(rt->simt);
    keep_time(rt, work);
    if (work->kind->finish != NULL)
        work->kind->finish(work);
    return error;
}

static void rank_streams(struct cudart *rt) {
    for (struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        s->rank = splitmix_next(&rt->random);
}

static struct CUstream_st *choose(struct cudart *rt) {
    struct CUstream_st *best = NULL;
    if (splitmix_next(&rt->random) % REDRAW == 0)
        rank_streams(rt);
    for (struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        if (s->first != NULL && !s->is_busy && (best == NULL || s->rank > best->rank) &&
            is_ready(rt, s->first))
            best = s;
    return best;
}

bool cudart_step(struct cudart *rt) {
    struct CUstream_st *stream = choose(rt);
    if (stream == NULL)
        return false;
    struct cudart_work *work = stream->first;
    stream->first = work->next;
    if (stream->first == NULL)
        stream->last = NULL;
    stream->is_busy = true;
    cudaError_t error = run(rt, work);
    stream->is_busy = false;
    pthread_cond_broadcast(&rt->idle);
    free(work);
    /* Too late for the call: it is the context's, as where a copy of hardware fails on its way. */
    if (error != cudaSuccess && rt->sticky == cudaSuccess)
        rt->sticky = error;
    if (rt->sticky != cudaSuccess)
        cudart_drop_work(rt);
    return true;
}

void cudart_drop_work(struct cudart *rt) {
    for (struct CUstream_st *s = rt->streams; s != NULL; s = s->next) {
        while (s->first != NULL) {
            struct cudart_work *work = s->first;
            s->first = work->next;
            if (work->kind->finish != NULL)
                work->kind->finish(work);
            free(work);
        }
        s->last = NULL;
    }
}

static bool is_done(const struct cudart *rt, const struct CUstream_st *stream) {
    if (stream != NULL)
        return stream->first == NULL && !stream->is_busy;
    for (const struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        if (s->first != NULL || s->is_busy)
            return false;
    return true;
}

cudaError_t cudart_finish(struct cudart *rt, struct CUstream_st *stream) {
    while (!is_done(rt, stream) && rt->sticky == cudaSuccess)
        if (!cudart_step(rt))
            pthread_cond_wait(&rt->idle, &rt->mutex); /* another thread runs a host function */
    return rt->sticky;
}

cudaError_t cudart_wait(struct cudart *rt, struct CUstream_st *stream) {
    cudart_finish(rt, stream);
    cudart_host_waited(rt, stream);
    for (const struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        if (stream == NULL || stream == s)
            rt->host_ms = later(rt->host_ms, s->done_ms);
    cudart_show_output(rt);
    return rt->sticky;
}

cudaError_t cudart_submit(struct cudart *rt, cudaStream_t handle, struct cudart_work *work,
                          size_t bytes) {
    struct CUstream_st *stream = cudart_stream(rt, handle);
    struct cudart_work *copy = NULL;
    if (stream != NULL && rt->seed != 0)
        copy = malloc(bytes);
    if (stream == NULL || (rt->seed != 0 && copy == NULL)) {
        if (work->kind->finish != NULL)
            work->kind->finish(work);
        return cudaErrorMemoryAllocation;
    }
    work->stream = stream;
    work->serial = ++rt->serial;
    work->issued_ms = rt->host_ms;
    cudart_order(rt, work);
    if (work->engine == CUDART_ENGINE_NONE)
        work->engine = work->kind->engine;
    if (copy == NULL)
        return run(rt, work);
    memcpy(copy, work, bytes);
    if (stream->last != NULL)
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

static bool is_blocking(const struct CUstream_st *stream) {
    return (stream->flags & cudaStreamNonBlocking) == 0;
}

bool cudart_are_ordered(const struct cudart *rt, const struct CUstream_st *a,
                        const struct CUstream_st *b) {
    return a != b && (a == rt->legacy || b == rt->legacy) && is_blocking(a) && is_blocking(b);
}

/* Streams share a queue where there are more of them than queues: then a race may be missed, and
 * none is made up. */
static unsigned queue_of(const struct CUstream_st *stream) {
    return (unsigned)(stream->id % SIMT_QUEUES);
}

void cudart_order(struct cudart *rt, struct cudart_work *work) {
    struct CUstream_st *stream = work->stream;
    cudart_join(&stream->clock, &rt->host_clock);
    for (const struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        if (cudart_are_ordered(rt, stream, s))
            cudart_join(&stream->clock, &s->clock);
    if (stream == rt->legacy)
        cudart_join(&stream->clock, &rt->gone_clock);
    stream->clock.n[queue_of(stream)] = ++rt->n_queued[queue_of(stream)];
    work->clock = stream->clock;
}

void cudart_host_waited(struct cudart *rt, const struct CUstream_st *stream) {
    for (const struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        if (stream == NULL || stream == s)
            cudart_join(&rt->host_clock, &s->clock);
    if (stream == NULL)
        cudart_join(&rt->host_clock, &rt->gone_clock);
}

void cudart_touch(struct cudart *rt, const struct cudart_work *work, const char *what) {
    if (rt->n_streams > 1)
        simt_begin_work(rt->simt, queue_of(work->stream), &work->clock, what);
}
