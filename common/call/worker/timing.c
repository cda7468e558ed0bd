/*
 * Flush, events, and the copy that is the yardstick of a device.
 */
#include "common/call/worker/timing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
    LEAST_FLUSH_BYTES = 64 << 20, /* where the L2's size is not known */
    LEAD = 4,                     /* flushes before the start event */
    WARM_MS = 20,
    EMPTY_PAIRS = 9,
    MAX_REPEATS = 1000,
};

/* Waiting longer than this after the stop event means that work ran outside the default stream. */
static const double LATE_MS = 0.05;

static double now_ms(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t n) {
    qsort(values, n, sizeof *values, compare_doubles);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static int measure_overhead(struct timing *timing) {
    double empty[EMPTY_PAIRS];
    int error = CUDA_SUCCESS;

    timing->overhead_ms = 0;
    for (size_t i = 0; i < EMPTY_PAIRS && !error; i++) {
        error = timing_begin(timing);
        if (!error)
            error = timing_end(timing, &empty[i]);
    }
    if (!error)
        timing->overhead_ms = median(empty, EMPTY_PAIRS);
    return error;
}

int timing_open(struct timing *timing, const struct cuda *cuda) {
    if (timing->flush)
        return CUDA_SUCCESS;
    int l2_bytes = cuda_attribute(cuda, CUDA_ATTR_L2_BYTES);
    *timing = (struct timing){.cuda = cuda, .flush_bytes = 2 * (size_t)l2_bytes};
    if (timing->flush_bytes < LEAST_FLUSH_BYTES)
        timing->flush_bytes = LEAST_FLUSH_BYTES;
    int error = cuda->event_create(&timing->start);
    if (!error)
        error = cuda->event_create(&timing->stop);
    if (!error)
        error = cuda->malloc(&timing->flush, timing->flush_bytes);
    if (!error)
        error = timing_warm(timing);
    return error ? error : measure_overhead(timing);
}

static int flush(const struct timing *timing) {
    /* Lines that a call before made persistent would survive the writes. */
    if (timing->cuda->reset_persisting_l2 && timing->cuda->reset_persisting_l2() != CUDA_SUCCESS)
        timing->cuda->get_last_error(); /* not every device has such lines */
    return timing->cuda->memset_async(timing->flush, 0x5c, timing->flush_bytes, NULL);
}

int timing_warm(struct timing *timing) {
    double start_ms = now_ms(), end_ms = start_ms + fmin(WARM_MS, start_ms - timing->busy_ms);
    int error;

    do {
        error = flush(timing);
        if (!error)
            error = timing->cuda->synchronize();
    } while (!error && now_ms() < end_ms);
    timing->busy_ms = now_ms();
    return error;
}

/*
 * The flushes are the call's lead, too: what the host submits while they run waits in the stream,
 * so that the events enclose the device's work and none of the host's. One flush takes some 40 us
 * on an H200 and the host up to 60 us for a call, after which 7 in 100 starts were late and a
 * kernel of 11 us could take 150; with two or more flushes none was.
 */
int timing_begin(const struct timing *timing) {
    int error = CUDA_SUCCESS;

    for (int i = 0; i < LEAD && !error; i++)
        error = flush(timing);
    return error ? error : timing->cuda->event_record(timing->start, NULL);
}

int timing_end(struct timing *timing, double *ms) {
    const struct cuda *cuda = timing->cuda;
    int error = cuda->event_record(timing->stop, NULL);

    if (!error)
        error = cuda->event_synchronize(timing->stop);
    double stopped_ms = now_ms();
    if (!error)
        error = cuda->synchronize();
    if (!error && now_ms() - stopped_ms > LATE_MS) {
        error = cuda->event_record(timing->stop, NULL);
        if (!error)
            error = cuda->event_synchronize(timing->stop);
    }
    if (error)
        return error;
    timing->busy_ms = now_ms();
    *ms = fmax(0, cuda_elapsed_ms(cuda, timing->start, timing->stop) - timing->overhead_ms);
    return CUDA_SUCCESS;
}

static int copy_once(struct timing *timing, void *to, const void *from, size_t bytes, double *ms) {
    int error = timing_begin(timing);

    if (!error)
        error = timing->cuda->memcpy_async(to, from, bytes, CUDA_DEVICE_TO_DEVICE, NULL);
    return error ? error : timing_end(timing, ms);
}

/* The first copy warms up and is not counted. */
static int copy_often(struct timing *timing, void *to, const void *from, size_t bytes, int repeats,
                      double *ms) {
    double times[MAX_REPEATS];
    int error = timing_warm(timing);

    if (!error)
        error = copy_once(timing, to, from, bytes, &times[0]);
    for (int i = 0; i < repeats && !error; i++)
        error = copy_once(timing, to, from, bytes, &times[i]);
    if (!error)
        *ms = median(times, (size_t)repeats);
    return error;
}

int timing_copy(struct timing *timing, size_t bytes, int repeats, double *ms) {
    const struct cuda *cuda = timing->cuda;
    void *from = NULL, *to = NULL;

    repeats = repeats < 1 ? 1 : repeats > MAX_REPEATS ? MAX_REPEATS : repeats;
    int error = cuda->malloc(&from, bytes);
    if (!error)
        error = cuda->malloc(&to, bytes);
    if (!error)
        error = cuda->memset(from, 0x3a, bytes);
    if (!error)
        error = copy_often(timing, to, from, bytes, repeats, ms);
    if (from)
        cuda->free(from);
    if (to)
        cuda->free(to);
    return error;
}
