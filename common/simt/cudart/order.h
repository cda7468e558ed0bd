/*
 * What is ordered with what: clocks (simt.h) of streams, events, work and the host. They are those
 * of the calls, whatever order a seed draws for the work itself. All threads of the host share one.
 */
#ifndef CUDART_ORDER_H
#define CUDART_ORDER_H

#include "common/simt/cudart/work.h"

void cudart_join(struct simt_clock *clock, const struct simt_clock *other);

/* Two streams wait for each other: one is the legacy default stream. */
bool cudart_are_ordered(const struct cudart *rt, const struct CUstream_st *a,
                        const struct CUstream_st *b);

/* The work gets its clock: it is put into its stream now. */
void cudart_order(struct cudart *rt, struct cudart_work *work);

/* The host has waited for a stream, or (NULL) for all. */
void cudart_host_waited(struct cudart *rt, const struct CUstream_st *stream);

/* The work, which runs now, is about to touch device memory. Where the program has one stream only
 * there is nothing to look for. */
void cudart_touch(struct cudart *rt, const struct cudart_work *work, const char *what);

#endif
