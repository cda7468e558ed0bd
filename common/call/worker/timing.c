/*
 * Flush, events, and the copies that are the yardsticks of a device.
 */
#include "common/call/worker/timing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* A device that was busy a moment ago has its clocks up still. */
int timing_warm(struct timing *timing) {
    double start_ms = now_ms(), idle_ms = start_ms - timing->busy_ms;
    double end_ms = start_ms + fmin(WARM_MS, fmax(0, idle_ms - WARM_MS));
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

/* A copy within the device, or two of them with the host, each in a stream of its own: what it
 * needs. Pointers are NULL until they are there. */
struct copy {
    size_t bytes;
    void *from, *to;           /* in device memory */
    void *host_from, *host_to; /* pinned; NULL for a copy within the device */
    void *streams[2];
};

static int begin_copy(const struct cuda *cuda, const struct copy *copy) {
    if (!copy->host_from)
        return cuda->memcpy_async(copy->to, copy->from, copy->bytes, CUDA_DEVICE_TO_DEVICE, NULL);
    int error = cuda->memcpy_async(copy->to, copy->host_from, copy->bytes, CUDA_HOST_TO_DEVICE,
                                   copy->streams[0]);
    return error ? error
                 : cuda->memcpy_async(copy->host_to, copy->from, copy->bytes, CUDA_DEVICE_TO_HOST,
                                      copy->streams[1]);
}

static int copy_once(struct timing *timing, const struct copy *copy, double *ms) {
    int error = timing_begin(timing);

    if (!error)
        error = begin_copy(timing->cuda, copy);
    return error ? error : timing_end(timing, ms);
}

/* The first copy warms up and is not counted. */
static int copy_often(struct timing *timing, const struct copy *copy, int repeats, double *ms) {
    double times[MAX_REPEATS];
    int error = timing_warm(timing);

    repeats = repeats < 1 ? 1 : repeats > MAX_REPEATS ? MAX_REPEATS : repeats;
    if (!error)
        error = copy_once(timing, copy, &times[0]);
    for (int i = 0; i < repeats && !error; i++)
        error = copy_once(timing, copy, &times[i]);
    if (!error)
        *ms = median(times, (size_t)repeats);
    return error;
}

static int open_copy(const struct cuda *cuda, struct copy *copy) {
    int error = cuda->malloc(&copy->from, copy->bytes);

    if (!error)
        error = cuda->malloc(&copy->to, copy->bytes);
    return error ? error : cuda->memset(copy->from, 0x3a, copy->bytes);
}

static void close_copy(const struct cuda *cuda, const struct copy *copy) {
    if (copy->from)
        cuda->free(copy->from);
    if (copy->to)
        cuda->free(copy->to);
}

int timing_copy(struct timing *timing, size_t bytes, int repeats, double *ms) {
    struct copy copy = {.bytes = bytes};
    int error = open_copy(timing->cuda, &copy);

    if (!error)
        error = copy_often(timing, &copy, repeats, ms);
    close_copy(timing->cuda, &copy);
    return error;
}

/* Pinned memory of the host, whose pages are there; NULL where there is none. */
static void *open_pinned(const struct cuda *cuda, size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        return NULL;
    memset(pages, 0x3a, bytes);
    if (cuda->host_register(pages, bytes, 0) == CUDA_SUCCESS)
        return pages;
    cuda->get_last_error();
    munmap(pages, bytes);
    return NULL;
}

static void close_pinned(const struct cuda *cuda, void *pages, size_t bytes) {
    if (!pages)
        return;
    cuda->host_unregister(pages);
    munmap(pages, bytes);
}

static int open_exchange(const struct cuda *cuda, struct copy *copy) {
    int error = open_copy(cuda, copy);

    for (int i = 0; i < 2 && !error; i++)
        error = cuda->stream_create(&copy->streams[i]);
    if (error)
        return error;
    copy->host_from = open_pinned(cuda, copy->bytes);
    copy->host_to = open_pinned(cuda, copy->bytes);
    return copy->host_from && copy->host_to ? CUDA_SUCCESS : CUDA_ERROR_MEMORY_ALLOCATION;
}

int timing_exchange(struct timing *timing, size_t bytes, int repeats, double *ms) {
    const struct cuda *cuda = timing->cuda;
    struct copy copy = {.bytes = bytes};

    if (!cuda->stream_create || !cuda->stream_destroy || !cuda->host_register ||
        !cuda->host_unregister)
        return CUDA_ERROR_NOT_SUPPORTED;
    int error = open_exchange(cuda, &copy);
    if (!error)
        error = copy_often(timing, &copy, repeats, ms);
    close_pinned(cuda, copy.host_from, bytes);
    close_pinned(cuda, copy.host_to, bytes);
    for (int i = 0; i < 2; i++)
        if (copy.streams[i])
            cuda->stream_destroy(copy.streams[i]);
    close_copy(cuda, &copy);
    return error;
}
