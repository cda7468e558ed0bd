/*
 * A race and its two outcomes: a scan without the barrier between the reads of a step and its
 * writes, run by the simulator in two legal orders of its warps.
 */
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 64, WORD = 31, PANEL = 350, ROW = 34, TOP = 74, MOST_SEEDS = 1000 };

/* The first step, d = 1: word 31 is thread 31's, the last of warp 0, and thread 32, the first of
 * warp 1, reads it. */
static const int three[] = {9, 2, 5};

/* What a run did: the order of the four accesses of the step, and what came out. */
struct outcome {
    struct moment {
        unsigned warp;
        bool is_write;
    } moments[4];
    int n;
    int out;
};

static bool run(struct simt *simt, const struct figure_source *source, uint64_t seed,
                struct outcome *outcome) {
    const struct figure_launch launch = {"scan_tiles_kernel", "PKimbPiS1_", 1, BLOCK,
                                         BLOCK * sizeof(int)};
    struct {
        uint64_t in, n;
        bool exclusive;
        uint64_t out, totals;
    } parameters = {.n = BLOCK};
    int numbers[BLOCK] = {0};
    unsigned read = figure_line(source, 0, "temp[t - d]"),
             write = figure_line(source, read, "+= left");
    struct simt_report report;

    memcpy(numbers + WORD - 1, three, sizeof three);
    simt_options(simt)->seed = seed;
    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.out, NULL, sizeof numbers) ||
        !figure_launch(simt, source, &launch, &parameters, &report) ||
        simt_read(simt, numbers, parameters.out, sizeof numbers) != SIMT_OK)
        return false;
    outcome->n = 0;
    outcome->out = numbers[WORD + 1];
    for (size_t i = 0; i < report.launches[0].n_events && outcome->n < 4; i++) {
        const struct simt_event *event = &report.launches[0].events[i];
        const struct moment moment = {event->warp, event->line == write};
        bool is_known = event->line != read && event->line != write;

        for (int k = 0; k < outcome->n; k++)
            is_known |= outcome->moments[k].warp == moment.warp &&
                        outcome->moments[k].is_write == moment.is_write;
        if (!is_known)
            outcome->moments[outcome->n++] = moment;
    }
    return outcome->n == 4 && report.n_findings > 0;
}

/* True where warp 0 has written before warp 1 reads. */
static bool is_late(const struct outcome *outcome) {
    for (int i = 0; i < outcome->n; i++)
        if (outcome->moments[i].warp == 0 && outcome->moments[i].is_write)
            return true;
        else if (outcome->moments[i].warp == 1)
            return false;
    return false;
}

static void draw_moment(FILE *file, int x, int y, const struct moment *moment, bool late) {
    int left = x + (moment->warp == 0 ? 20 : 180), old = three[1], new = three[0] + three[1];
    int seen = late ? new : old;

    svg_box(file, left, y, 150, 24, !moment->is_write);
    if (moment->warp == 0 && moment->is_write)
        svg_words(file, left + 75, y + 16, "middle", "writes word 31: %d", new);
    else if (moment->warp == 0)
        svg_words(file, left + 75, y + 16, "middle", "reads word 30: %d", three[0]);
    else if (moment->is_write)
        svg_words(file, left + 75, y + 16, "middle", "writes word 32: %d", seen + three[2]);
    else
        svg_words(file, left + 75, y + 16, "middle", "reads word 31: %d", seen);
}

static void draw_outcome(FILE *file, int x, const struct outcome *outcome, int right) {
    bool late = is_late(outcome);

    svg_words(file, x + 20, 18, "start",
              late ? "Thread 31 is faster: 9 is counted twice" : "Thread 32 reads in time");
    svg_words(file, x + 95, 44, "middle", "thread 31, warp 0");
    svg_words(file, x + 255, 44, "middle", "thread 32, warp 1");
    svg_words(file, x + 20, TOP - 10, "start", "holds %d", three[1]);
    svg_words(file, x + 180, TOP - 10, "start", "holds %d", three[2]);
    for (int i = 0; i < outcome->n; i++)
        draw_moment(file, x, TOP + i * ROW, &outcome->moments[i], late);
    svg_arrow(file, x + 8, TOP, x + 8, TOP + 4 * ROW - 10);
    svg_words(file, x + 20, TOP + 4 * ROW + 14, "start",
              outcome->out == right ? "out[32] = %d, as it should be" : "out[32] = %d: wrong",
              outcome->out);
}

/* The first order of the simulator's in which warp 1 reads in time, or too late, and the result
 * says so. */
static bool find(struct simt *simt, const struct figure_source *source, bool late, int right,
                 struct outcome *outcome) {
    for (uint64_t seed = 0; seed < MOST_SEEDS; seed++)
        if (run(simt, source, seed, outcome) && is_late(outcome) == late &&
            (outcome->out != right) == late)
            return true;
    fprintf(stderr, "draw: no order in which the race is %s\n", late ? "lost" : "won");
    return false;
}

bool draw_race(FILE *file, struct simt *simt, const struct figure_source *source) {
    struct outcome wrong, good;
    int right = three[0] + three[1] + three[2];

    if (!find(simt, source, false, right, &good) || !find(simt, source, true, right, &wrong))
        return false;
    svg_begin(
        file, 2 * PANEL, TOP + 4 * ROW + 30, "A race with two outcomes",
        "The step d = 1 of a scan, in two orders, time downwards. Words 30, 31 and 32 hold 9, 2 "
        "and 5. Thread 31 reads 9 and writes 11 to word 31; thread 32 reads word 31. If it reads "
        "in time it finds 2 and writes 7, and the scan is right. If thread 31 was faster, it finds "
        "11 and writes 16, and 9 is counted twice in the end.");
    draw_outcome(file, 0, &good, right);
    draw_outcome(file, PANEL, &wrong, right);
    svg_end(file);
    return true;
}
