/*
 * Streams. Every call does its work before it returns, in the order of the calls, which
 * is one of the orders that streams allow; so there is never anything to wait for.
 */
#include "common/simt/cudart/cudart.h"

#include <stdlib.h>

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
};

bool cudart_stream_exists(const struct cudart *rt, cudaStream_t stream) {
    if (stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return true;
    for (const struct CUstream_st *s = rt->streams; s != NULL; s = s->next)
        if (s == stream)
            return true;
    return false;
}

cudaError_t cudart_enter_stream(struct cudart **rt, cudaStream_t stream) {
    cudaError_t error = cudart_enter(rt);
    if (error == cudaSuccess && !cudart_stream_exists(*rt, stream))
        error = cudaErrorInvalidResourceHandle;
    return error;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (stream == NULL || (flags & ~(unsigned)cudaStreamNonBlocking) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        *stream = calloc(1, sizeof(**stream));
        if (*stream == NULL) {
            error = cudaErrorMemoryAllocation;
        } else {
            **stream = (struct CUstream_st){rt->streams, flags, priority};
            rt->streams = *stream;
        }
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    struct CUstream_st **link = &rt->streams;
    while (*link != NULL && *link != stream)
        link = &(*link)->next;
    if (error == cudaSuccess && *link == NULL)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        *link = stream->next;
        free(stream);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaStreamSynchronize, _ptsz);

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cudaStreamSynchronize(stream);
}
CUDART_TWIN(cudaStreamQuery, _ptsz);

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        *flags = (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread ? 0 : stream->flags;
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaStreamGetFlags, _ptsz);

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        *priority = (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread ? 0 : stream->priority;
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaStreamGetPriority, _ptsz);

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess)
        *status = cudaStreamCaptureStatusNone;
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaStreamIsCapturing, _ptsz);

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    error = cudart_leave(rt, error);
    if (error == cudaSuccess)
        function(data); /* without the lock: it may use any call that host functions may use */
    return error;
}
CUDART_TWIN(cudaLaunchHostFunc, _ptsz);

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && flags != 0)
        error = cudaErrorInvalidValue;
    error = cudart_leave(rt, error);
    if (error == cudaSuccess)
        callback(stream, cudaSuccess, data);
    return error;
}
CUDART_TWIN(cudaStreamAddCallback, _ptsz);
