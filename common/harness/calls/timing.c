/*
 * Timing on a GPU. What makes a figure worth believing: new inputs for each run, caches cold, the
 * output of each run checked, the median of enough runs, the copy bandwidth of the same device in
 * the same minute beside it, and no trust in the worker's clock beyond what the trusted side's own
 * clock and the memory's physical peak allow.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/splitmix.h"
#include "common/base/system/process.h"
#include "common/harness/context.h"

enum { MIN_SAMPLES = 7, MAX_SAMPLES = 31, WARM_UP_MS = 100, COPY_REPEATS = 15, TRIES = 3 };
static const double budget_ms = 8000;     /* of one size, all told */
static const double small_error = 0.0035; /* of the median: enough to stop early */
static const double large_spread = 0.25;  /* something else was at work there: try again */

struct samples {
    double ms[MAX_SAMPLES];
    size_t n;
};

struct summary {
    double median, min, max;
    double spread; /* between the quartiles, relative to the median */
    double error;  /* standard error of the median, relative to it */
};

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The error as in McGill, Tukey and Larsen, "Variations of Box Plots", The American Statistician
 * 32(1), 1978: 1.25 / 1.35 of the distance of the quartiles, over the root of the number of runs.
 */
static struct summary summarise(const struct samples *samples) {
    double ms[MAX_SAMPLES];
    size_t n = samples->n;
    struct summary summary;

    memcpy(ms, samples->ms, n * sizeof ms[0]);
    qsort(ms, n, sizeof ms[0], compare);
    summary.median = n % 2 == 1 ? ms[n / 2] : (ms[n / 2 - 1] + ms[n / 2]) / 2;
    summary.min = ms[0];
    summary.max = ms[n - 1];
    summary.spread = (ms[3 * n / 4] - ms[n / 4]) / summary.median;
    summary.error = 1.25 / 1.35 * summary.spread / sqrt((double)n);
    return summary;
}

/* One run with fresh inputs: its time by the device's events, or NAN when the run failed. */
static double time_once(struct lab *lab, const struct lab_bench *bench, uint64_t *seeds) {
    struct call_result result = {0};

    bench->refresh(bench->state, splitmix_next(seeds));
    lab->function = bench->function;
    memcpy(lab->args, bench->args, bench->n_args * sizeof *bench->args);
    lab->n_args = bench->n_args;
    call_run_timed(lab_worker(lab), bench->function, bench->args, bench->n_args, &result);
    lab_take_result(lab, &result);
    if (!lab_judge_call(lab))
        return NAN;
    if (!bench->is_right(bench->state)) {
        lab_note(lab, LAB_WRONG_ANSWER, NULL,
                 "%s gave a wrong result in a timed run of n = %zu, block = %u. Each run has new "
                 "inputs.",
                 bench->function, bench->n, bench->block);
        return NAN;
    }
    if (!(lab->last.event_ms > 0) || lab->last.event_ms > lab->last.wall_ms) {
        lab_note(lab, LAB_INVALID_MEASUREMENT, NULL,
                 "Measurement invalid: the worker reports %g ms for a call that took %g ms from "
                 "request to reply.",
                 lab->last.event_ms, lab->last.wall_ms);
        return NAN;
    }
    return lab->last.event_ms;
}

/* Runs until the clocks are up, then until the median is known well enough or the budget is spent.
 * They are up in a worker that has been used before: there one run, to see the size, is enough. */
static bool measure(struct lab *lab, const struct lab_bench *bench, struct samples *samples) {
    lab_worker(lab); /* says whether it is a used one */
    double start = process_clock_ms();
    double warm_up_ms = lab->is_reused ? 0 : WARM_UP_MS;
    uint64_t seeds = lab->seed;

    samples->n = 0;
    do {
        if (isnan(time_once(lab, bench, &seeds)))
            return false;
    } while (process_clock_ms() - start < warm_up_ms);
    while (samples->n < MAX_SAMPLES) {
        double ms = time_once(lab, bench, &seeds);

        if (isnan(ms))
            return false;
        samples->ms[samples->n++] = ms;
        if (samples->n >= 3 && process_clock_ms() - start > budget_ms)
            break;
        if (samples->n >= MIN_SAMPLES && summarise(samples).error < small_error)
            break;
    }
    return true;
}

/* Asks a worker without the student's code what the device is; all is 0 where it can't say. */
static struct call_worker *ask_clean(struct lab *lab, struct call_device *device) {
    struct call_worker *worker = lab_clean_worker(lab);
    struct call_result result = {0};

    if (call_device(worker, device, &result) != CALL_OK)
        *device = (struct call_device){.peak_gbps = 0};
    lab_take_result(lab, &result);
    return worker;
}

/* Copy bandwidth for as many bytes, read and written; with the host, of one direction, while the
 * other one is as busy. Nobody says what the peak of that is: 0. */
static double copy_gbps(struct lab *lab, const struct lab_bench *bench, double *peak_gbps) {
    const struct lab_workers *workers = lab->settings->workers;
    double ms = lab_yardsticks_find(workers, bench->bytes, bench->with_host);
    struct call_device device = workers->device;

    if (!(ms > 0)) {
        struct call_worker *worker = ask_clean(lab, &device);
        struct call_result result = {0};
        if (call_time_copy(worker, bench->bytes, bench->with_host, COPY_REPEATS, &ms, &result) !=
            CALL_OK)
            ms = NAN;
        lab_take_result(lab, &result);
    }
    *peak_gbps = bench->with_host ? 0 : device.peak_gbps;
    if (!(ms > 0))
        lab_stop(lab, LAB_INFRASTRUCTURE, "The copy bandwidth could not be measured. %s",
                 lab->last.message);
    return (bench->with_host ? 1 : 2) * (double)bench->bytes / ms * 1e-6;
}

/* Billions of fused multiply-adds in double precision a second, by the units that an SM has; 0
 * where that is not known. */
static double peak_fp64(struct lab *lab) {
    static const struct {
        int major, minor, units;
    } table[] = {{7, 0, 32}, {7, 5, 2},  {8, 0, 32},  {8, 6, 2},
                 {8, 9, 2},  {9, 0, 64}, {10, 0, 64}, {12, 0, 2}};

    const struct lab_workers *workers = lab->settings->workers;
    struct call_device device = workers->device;

    if (!workers->is_device_known)
        ask_clean(lab, &device);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].major == device.major && table[i].minor == device.minor)
            return table[i].units * (double)device.n_sm * device.sm_clock_mhz * 1e-3;
    return 0;
}

/* The physical peak; where the driver does not say, twice the copy bandwidth, which nothing that
 * only reads comes near. */
static double limit_gbps(double peak_gbps, double copy) {
    return peak_gbps > 0 ? peak_gbps : 2 * copy;
}

void lab_time(struct lab *lab, const struct lab_bench *bench) {
    struct samples samples;
    struct summary summary;
    double copy = 0, peak, limit, gbps;

    if (lab_failed(lab))
        return;
    if (!lab_on_gpu(lab))
        lab_skip(lab, "This test needs a GPU; the simulator answers here.");
    if (lab->settings->workers->yardsticks.is_asking) {
        if (!bench->unit)
            lab_yardsticks_ask(lab->settings->workers, bench->bytes, bench->with_host);
        return;
    }
    if (bench->unit)
        peak = peak_fp64(lab);
    else
        copy = copy_gbps(lab, bench, &peak);
    limit = bench->unit ? (peak > 0 ? peak : INFINITY) : limit_gbps(peak, copy);
    for (int i = 0; i == 0 || (i < TRIES && summary.spread > large_spread); i++) {
        if (!measure(lab, bench, &samples))
            return;
        summary = summarise(&samples);
    }
    gbps = (double)bench->bytes / summary.median * 1e-6;
    json_array_append_new(
        lab->bench,
        json_pack("{s:I, s:I, s:I, s:s, s:f, s:f, s:f, s:I, s:f, s:f, s:o, s:o, s:o}", "n",
                  (json_int_t)bench->n, "block", (json_int_t)bench->block, "bytes",
                  (json_int_t)bench->bytes, "unit", bench->unit ? bench->unit : "bytes",
                  "median_ms", summary.median, "min_ms", summary.min, "max_ms", summary.max,
                  "samples", (json_int_t)samples.n, "spread", summary.spread, "gbps", gbps,
                  "copy_gbps", copy > 0 ? json_real(copy) : json_null(), "share_of_copy",
                  copy > 0 ? json_real(gbps / copy) : json_null(), "peak_gbps",
                  peak > 0 ? json_real(peak) : json_null()));
    if (gbps > limit)
        lab_note(lab, LAB_INVALID_MEASUREMENT, NULL,
                 "Measurement invalid: %.0f %s is more than this device can do (%.0f). Something "
                 "was timed that did not happen.",
                 gbps, bench->unit ? "billion evaluations a second" : "GB/s", limit);
    else if (summary.spread > large_spread)
        lab_note(lab, LAB_TOO_NOISY, NULL,
                 "Too noisy to judge: the middle half of %zu runs differs by %.0f %% of their "
                 "median, in each of %d attempts. Something else keeps this device busy.",
                 samples.n, summary.spread * 100, TRIES);
}

double lab_share_of_copy(const struct lab *lab) {
    size_t n = json_array_size(lab->bench);
    const json_t *last = n > 0 ? json_array_get(lab->bench, n - 1) : NULL;

    return json_number_value(json_object_get(last, "share_of_copy"));
}
