/*
 * Time on the device, by events that the worker owns, with cold caches.
 *
 * Before each measurement at least twice the L2 is written; the writes are still running when the
 * start event is queued, so that the time to queue the work does not count. Event times are only
 * as honest as this process; the client holds them against its own clock.
 */
#pragma once

#include "common/call/worker/cuda.h"

struct timing {
    const struct cuda *cuda;
    void *flush; /* NULL before the first use */
    size_t flush_bytes;
    void *start, *stop;
    double overhead_ms; /* between two events with nothing between them */
    double busy_ms;     /* by the monotonic clock: when the device was last seen at work */
};

/* Makes events and the flush buffer; nothing when they are there. Returns a CUDA error. */
int timing_open(struct timing *timing, const struct cuda *cuda);

/* Keeps the device busy, so that its clocks are up: for as long as it has been idle before, at most
 * for some milliseconds. Waits for the end. */
int timing_warm(struct timing *timing);

/* Flushes the L2 and sets the start event. */
int timing_begin(const struct timing *timing);

/* Sets the stop event and waits until the whole device is idle. Work outside the default stream
 * counts, too. */
int timing_end(struct timing *timing, double *ms);

/* Median time of copying `bytes` within device memory. */
int timing_copy(struct timing *timing, size_t bytes, int repeats, double *ms);

/* Median time of copying `bytes` from pinned memory of the host to the device and as many back, at
 * once, in two streams. */
int timing_exchange(struct timing *timing, size_t bytes, int repeats, double *ms);
