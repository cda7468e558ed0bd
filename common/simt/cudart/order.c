/*
 * Clocks: each is the join of those that come before.
 */
#include "common/simt/cudart/order.h"

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
