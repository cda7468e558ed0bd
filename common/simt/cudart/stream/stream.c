/*
 * Streams, and functions of the host that run in them. operation.h says when operations run.
 */
#include "common/simt/cudart/stream/operation.h"

#include <stdlib.h>

/* As on hardware since Volta: 0 is the least, -5 the greatest. */
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

/* The default stream of this thread, for code that was compiled to have one a thread. */
static __thread struct CUstream_st *own;

static struct CUstream_st *new_stream(struct cudart *rt, unsigned flags, int priority) {
    struct CUstream_st *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (struct CUstream_st){
        .next = rt->streams,
        .flags = flags,
        .priority = priority,
        .id = ++rt->n_streams,
        .done_ms = rt->host_ms,
    };
    rt->streams = stream;
    return stream;
}

static struct CUstream_st *default_stream(struct cudart *rt, struct CUstream_st **stream) {
    if (!*stream) {
        *stream = new_stream(rt, cudaStreamDefault, 0);
        if (*stream)
            (*stream)->is_hidden = true;
    }
    return *stream;
}

size_t cudart_count_streams(const struct cudart *rt) {
    size_t n = 0;
    for (const struct CUstream_st *s = rt->streams; s; s = s->next)
        n += !s->is_hidden;
    return n;
}

struct CUstream_st *cudart_stream(struct cudart *rt, cudaStream_t handle) {
    if (handle == cudaStreamPerThread || (!handle && cudart_per_thread != 0))
        return default_stream(rt, &own);
    if (!handle || handle == cudaStreamLegacy)
        return default_stream(rt, &rt->legacy);
    for (struct CUstream_st *s = rt->streams; s; s = s->next)
        if (s == handle && !s->is_hidden && !s->is_gone)
            return s;
    return NULL;
}

cudaError_t cudart_enter_stream(struct cudart **rt, cudaStream_t stream) {
    cudaError_t error = cudart_enter(rt);
    if (error == cudaSuccess && !cudart_stream(*rt, stream)) {
        (*rt)->refusal.n_unknown++;
        error = cudaErrorInvalidResourceHandle;
    }
    return error;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (!stream || (flags & ~(unsigned)cudaStreamNonBlocking) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_OBJECT, cudaErrorMemoryAllocation);
    if (error == cudaSuccess) {
        if (priority > LEAST_PRIORITY)
            priority = LEAST_PRIORITY;
        if (priority < GREATEST_PRIORITY)
            priority = GREATEST_PRIORITY;
        *stream = new_stream(rt, flags, priority);
        if (!*stream)
            error = cudaErrorMemoryAllocation;
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return cudaSuccess;
}

/* Does not wait: what is in the stream is done later, in an order of its own. */
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    struct CUstream_st *found = error == cudaSuccess ? cudart_stream(rt, stream) : NULL;
    if (error == cudaSuccess && found->is_hidden)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        found->is_gone = true;
        cudart_sweep_streams(rt);
    }
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaStreamSynchronize, _ptsz, (cudaStream_t stream), (stream)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        error = cudart_wait_only(rt, cudart_stream(rt, stream));
    return cudart_leave(rt, error);
}

/* Lets time pass: a program that asks again and again comes to an end. */
CUDART_TWIN(cudaStreamQuery, _ptsz, (cudaStream_t stream), (stream)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess) {
        struct CUstream_st *found = cudart_stream(rt, stream);
        cudart_step(rt);
        error = rt->sticky;
        if (error == cudaSuccess && (found->first || found->is_busy))
            error = cudaErrorNotReady;
        if (error == cudaSuccess)
            cudart_host_waited(rt, found);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaDeviceSynchronize(void) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = cudart_wait_only(rt, NULL);
    return cudart_leave(rt, error);
}

/* A question about a stream, and its answer. */
#define QUESTION(name, type, value)                                                                \
    CUDART_TWIN(name, _ptsz, (cudaStream_t stream, type * answer), (stream, answer)) {             \
        struct cudart *rt;                                                                         \
        cudaError_t error = cudart_enter_stream(&rt, stream);                                      \
        if (error == cudaSuccess && !answer)                                                       \
            error = cudaErrorInvalidValue;                                                         \
        if (error == cudaSuccess)                                                                  \
            *answer = value;                                                                       \
        return cudart_leave(rt, error);                                                            \
    }
QUESTION(cudaStreamGetFlags, unsigned, cudart_stream(rt, stream)->flags)
QUESTION(cudaStreamGetPriority, int, cudart_stream(rt, stream)->priority)
QUESTION(cudaStreamGetId, unsigned long long, cudart_stream(rt, stream)->id)
QUESTION(cudaStreamGetDevice, int, 0)
QUESTION(cudaStreamIsCapturing, enum cudaStreamCaptureStatus, cudaStreamCaptureStatusNone)

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    if (!mode)
        return cudart_note(cudaErrorInvalidValue);
    static __thread enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    enum cudaStreamCaptureMode old = current;
    current = *mode;
    *mode = old;
    return cudaSuccess;
}

/* A function of the host in a stream: one of the two sorts. */
struct call {
    struct cudart_op op;
    cudaHostFn_t function;
    cudaStreamCallback_t callback;
    cudaStream_t handle;
    void *data;
};

/* Without the lock: it may use any call that host functions may use. */
static cudaError_t run_call(struct cudart *rt, struct cudart_op *op) {
    const struct call *call = (const struct call *)op;
    cudart_unlock(rt);
    if (call->function)
        call->function(call->data);
    else
        call->callback(call->handle, cudaSuccess, call->data);
    cudart_lock();
    return cudaSuccess;
}

static const struct cudart_op_kind call_kind = {.run = run_call};

CUDART_TWIN(cudaLaunchHostFunc, _ptsz, (cudaStream_t stream, cudaHostFn_t function, void *data),
            (stream, function, data)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && !function)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct call call = {.op.kind = &call_kind, .function = function, .data = data};
        error = cudart_submit(rt, stream, &call.op, sizeof call);
    }
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaStreamAddCallback, _ptsz,
            (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags),
            (stream, callback, data, flags)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && (!callback || flags != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct call call = {
            .op.kind = &call_kind, .callback = callback, .handle = stream, .data = data};
        error = cudart_submit(rt, stream, &call.op, sizeof call);
    }
    return cudart_leave(rt, error);
}
