/*
 * Events: points in the order of a stream's operations, with the model's time (operation.h).
 * Elapsed times say what the model says; README.md, "Time", tells what that is worth.
 */
#include "common/simt/cudart/stream/operation.h"

#include <stdlib.h>

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    uint64_t n_records;      /* calls of cudaEventRecord */
    uint64_t last_done;      /* the newest of them that is done */
    unsigned n_pending;      /* operations that know the event */
    bool is_gone;            /* destroyed; the last of these operations frees it */
    double ms;               /* time of that record */
    struct simt_clock clock; /* what comes before the newest record: operation.h */
};

/* A record of an event, or a stream's wait for one. */
struct mark {
    struct cudart_op op;
    struct CUevent_st *event;
    uint64_t record; /* which of the event's records */
};

size_t cudart_count_events(const struct cudart *rt) {
    size_t n = 0;
    for (const struct CUevent_st *e = rt->events; e; e = e->next)
        n++;
    return n;
}

static bool event_exists(const struct cudart *rt, cudaEvent_t event) {
    for (const struct CUevent_st *e = rt->events; e; e = e->next)
        if (e == event)
            return true;
    return false;
}

/* Says that there is no such event. */
static cudaError_t unknown_event(struct cudart *rt, cudaEvent_t event) {
    rt->refusal.n_unknown += event != NULL;
    return cudaErrorInvalidResourceHandle;
}

static cudaError_t enter_event(struct cudart **rt, cudaEvent_t event) {
    cudaError_t error = cudart_enter(rt);
    if (error == cudaSuccess && !event_exists(*rt, event))
        error = unknown_event(*rt, event);
    return error;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    struct cudart *rt;
    unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (!event || (flags & ~known) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_OBJECT, cudaErrorMemoryAllocation);
    if (error == cudaSuccess) {
        *event = calloc(1, sizeof **event);
        if (!*event) {
            error = cudaErrorMemoryAllocation;
        } else {
            **event = (struct CUevent_st){.next = rt->events, .flags = flags};
            rt->events = *event;
        }
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

/* Does not wait for the operations that know the event. */
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    struct cudart *rt;
    cudaError_t error = enter_event(&rt, event);
    if (error == cudaSuccess) {
        struct CUevent_st **link = &rt->events;
        while (*link != event)
            link = &(*link)->next;
        *link = event->next;
        event->is_gone = true;
        if (event->n_pending == 0)
            free(event);
    }
    return cudart_leave(rt, error);
}

static void finish_mark(struct cudart_op *op) {
    struct CUevent_st *event = ((struct mark *)op)->event;
    if (--event->n_pending == 0 && event->is_gone)
        free(event);
}

static cudaError_t run_record(struct cudart *rt, struct cudart_op *op) {
    struct mark *mark = (struct mark *)op;
    double ms = op->stream->done_ms;
    if (op->stream == rt->legacy) /* it comes after the operations of all streams that block */
        for (const struct CUstream_st *s = rt->streams; s; s = s->next)
            if ((s->flags & cudaStreamNonBlocking) == 0 && s->done_ms > ms)
                ms = s->done_ms;
    mark->event->ms = ms > op->issued_ms ? ms : op->issued_ms;
    mark->event->last_done = mark->record;
    return cudaSuccess;
}

static const struct cudart_op_kind record_kind = {
    .run = run_record, .finish = finish_mark, .is_asked = true};

CUDART_TWIN(cudaEventRecordWithFlags, _ptsz,
            (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, stream, flags)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && !event_exists(rt, event))
        error = unknown_event(rt, event);
    if (error == cudaSuccess && (flags & ~(unsigned)cudaEventRecordExternal) != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_WAIT, cudaErrorUnknown);
    if (error == cudaSuccess) {
        event->n_pending++;
        struct mark mark = {.op.kind = &record_kind, .event = event, .record = ++event->n_records};
        error = cudart_submit(rt, stream, &mark.op, sizeof mark);
        event->clock = cudart_stream(rt, stream)->clock;
    }
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream)) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

static bool is_done(const struct CUevent_st *event) {
    return event->last_done == event->n_records;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    struct cudart *rt;
    cudaError_t error = enter_event(&rt, event);
    while (error == cudaSuccess && !is_done(event)) {
        if (!cudart_step(rt))
            pthread_cond_wait(&rt->idle, &rt->mutex);
        error = rt->sticky;
    }
    if (error == cudaSuccess && event->n_records != 0 && event->ms > rt->host_ms)
        rt->host_ms = event->ms;
    bool is_known = error != cudaSuccess || cudart_covers(&rt->host_clock, &event->clock);
    if (error == cudaSuccess) {
        cudart_join(&rt->host_clock, &event->clock);
        rt->n_waits++;
    }
    cudart_show_output(rt);
    if (!is_known)
        error = cudart_may_refuse(rt, SIMT_WAIT, cudaErrorUnknown);
    return cudart_leave(rt, error);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    struct cudart *rt;
    cudaError_t error = enter_event(&rt, event);
    if (error == cudaSuccess) {
        cudart_step(rt);
        error = rt->sticky;
    }
    if (error == cudaSuccess && !is_done(event))
        error = cudaErrorNotReady;
    if (error == cudaSuccess) {
        cudart_join(&rt->host_clock, &event->clock);
        rt->n_waits++;
    }
    return cudart_leave(rt, error);
}

static bool is_recorded(const struct cudart_op *op) {
    const struct mark *mark = (const struct mark *)op;
    return mark->event->last_done >= mark->record;
}

static cudaError_t run_wait(struct cudart *rt, struct cudart_op *op) {
    (void)rt;
    const struct mark *mark = (const struct mark *)op;
    if (mark->record != 0 && mark->event->ms > op->stream->done_ms)
        op->stream->done_ms = mark->event->ms;
    return cudaSuccess;
}

static const struct cudart_op_kind wait_kind = {
    .run = run_wait, .is_ready = is_recorded, .finish = finish_mark, .is_asked = true};

CUDART_TWIN(cudaStreamWaitEvent, _ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
            (stream, event, flags)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && !event_exists(rt, event))
        error = unknown_event(rt, event);
    if (error == cudaSuccess && (flags & ~(unsigned)cudaEventWaitExternal) != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_WAIT, cudaErrorUnknown);
    if (error == cudaSuccess) {
        event->n_pending++;
        cudart_join(&cudart_stream(rt, stream)->clock, &event->clock);
        struct mark mark = {.op.kind = &wait_kind, .event = event, .record = event->n_records};
        error = cudart_submit(rt, stream, &mark.op, sizeof mark);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (!start || !end) /* noticed even where the context is lost */
        error = cudaErrorInvalidResourceHandle;
    else if (error == cudaSuccess && !ms)
        error = cudaErrorInvalidValue;
    else if (error == cudaSuccess &&
             (!event_exists(rt, start) || !event_exists(rt, end) || start->n_records == 0 ||
              end->n_records == 0 || ((start->flags | end->flags) & cudaEventDisableTiming) != 0))
        error = cudaErrorInvalidResourceHandle;
    else if (error == cudaSuccess && (!is_done(start) || !is_done(end)))
        error = cudaErrorNotReady;
    if (error == cudaSuccess)
        *ms = (float)(end->ms - start->ms);
    return cudart_leave(rt, error);
}
