/*
 * Events: points in time on the host's clock, since the work before them is done when they are
 * recorded. Elapsed times are those of the simulation, and say nothing about a GPU.
 */
#include "common/simt/cudart/cudart.h"

#include <stdlib.h>
#include <time.h>

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    bool recorded;
    struct timespec time;
};

static bool event_exists(const struct cudart *rt, cudaEvent_t event) {
    for (const struct CUevent_st *e = rt->events; e != NULL; e = e->next)
        if (e == event)
            return true;
    return false;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    struct cudart *rt;
    unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (event == NULL || (flags & ~known) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        *event = calloc(1, sizeof(**event));
        if (*event == NULL) {
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

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    struct CUevent_st **link = &rt->events;
    while (*link != NULL && *link != event)
        link = &(*link)->next;
    if (error == cudaSuccess && *link == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        *link = event->next;
        free(event);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    (void)flags;
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && !event_exists(rt, event))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        event->recorded = true;
        clock_gettime(CLOCK_MONOTONIC, &event->time);
    }
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaEventRecordWithFlags, _ptsz);

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
CUDART_TWIN(cudaEventRecord, _ptsz);

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && !event_exists(rt, event))
        error = cudaErrorInvalidResourceHandle;
    return cudart_leave(rt, error);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    (void)flags;
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && !event_exists(rt, event))
        error = cudaErrorInvalidResourceHandle;
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaStreamWaitEvent, _ptsz);

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && ms == NULL)
        error = cudaErrorInvalidValue;
    else if (error == cudaSuccess &&
             (!event_exists(rt, start) || !event_exists(rt, end) || !start->recorded ||
              !end->recorded || ((start->flags | end->flags) & cudaEventDisableTiming) != 0))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        *ms = (float)((double)(end->time.tv_sec - start->time.tv_sec) * 1e3 +
                      (double)(end->time.tv_nsec - start->time.tv_nsec) * 1e-6);
    return cudart_leave(rt, error);
}
