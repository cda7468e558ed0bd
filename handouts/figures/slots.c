/*
 * What seven sums pay for an int, and how much of that they use: from the simulator's trace of a
 * block, how many instructions its warps issue with how many lanes active.
 */
#include <stdlib.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 128, MOST_INTS = 8 * BLOCK, N_RUNGS = 7, N_LANES = 32 };
enum { LEFT = 172, TOP = 24, HEIGHT = 32, ROW = 50, SCALE = 3, WIDTH = 720 };

/* One rung: a block of it sums so many ints. */
struct rung {
    const char *kernel, *types, *title;
    unsigned ints;
};

#define TYPES    "PKimPi"
#define UNROLLED "ILj128EEv" TYPES

static const struct rung rungs[N_RUNGS] = {
    {"sum_divergent_kernel", TYPES, "1 divergence", BLOCK},
    {"sum_strided_kernel", TYPES, "2 conflicts", BLOCK},
    {"sum_sequential_kernel", TYPES, "3 sequential", BLOCK},
    {"sum_first_add_kernel", TYPES, "4 first add during load", 2 * BLOCK},
    {"sum_last_warp_kernel", TYPES, "5 last warp unrolled", 2 * BLOCK},
    {"sum_unrolled_kernel", UNROLLED, "6 completely unrolled", 2 * BLOCK},
    {"sum_many_kernel", UNROLLED, "7 eight ints a thread", MOST_INTS},
};

/* instructions[k]: how many were issued with k lanes active. */
static bool trace(struct simt *simt, const struct figure_source *source, const struct rung *rung,
                  uint64_t instructions[N_LANES + 1]) {
    struct {
        uint64_t in, n, partials;
    } parameters = {.n = rung->ints};
    const struct figure_launch launch = {rung->kernel, rung->types, 1, BLOCK, BLOCK * sizeof(int)};
    static const int numbers[MOST_INTS];
    struct simt_report report;

    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.partials, NULL, sizeof(int)) ||
        !figure_launch(simt, source, &launch, &parameters, &report))
        return false;
    for (size_t i = 0; i < report.launches[0].n_events; i++) {
        const struct simt_event *event = &report.launches[0].events[i];

        instructions[__builtin_popcount(event->mask)] += event->n;
    }
    return true;
}

/* The instructions from left to right, those with most lanes first. */
static void draw_rung(FILE *file, const struct rung *rung, const uint64_t instructions[N_LANES + 1],
                      int top) {
    double points[2 * N_LANES + 4][2], x = LEFT, step = (double)SCALE * N_LANES / rung->ints;
    size_t n = 0;
    uint64_t all = 0;

    points[n][0] = x, points[n++][1] = top + HEIGHT;
    for (int lanes = N_LANES; lanes > 0; lanes--) {
        if (instructions[lanes] == 0)
            continue;
        all += instructions[lanes];
        points[n][0] = x, points[n++][1] = top + HEIGHT - HEIGHT * lanes / N_LANES;
        x += step * (double)instructions[lanes];
        points[n][0] = x, points[n++][1] = top + HEIGHT - HEIGHT * lanes / N_LANES;
    }
    points[n][0] = x, points[n++][1] = top + HEIGHT;
    svg_words(file, LEFT - 10, top + HEIGHT / 2 + 4, "end", "%s", rung->title);
    svg_box(file, LEFT, top, (int)(x - LEFT + 0.5), HEIGHT, false);
    svg_area(file, points, n);
    svg_words(file, (int)x + 8, top + HEIGHT / 2 + 4, "start", "%.1f",
              (double)(N_LANES * all) / rung->ints);
}

bool draw_lane_slots(FILE *file, struct simt *simt, const struct figure_source *source) {
    svg_begin(file, WIDTH, TOP + N_RUNGS * ROW, "What each rung pays for an int",
              "Seven boxes, one below the other, each as wide as the lane slots that a kernel pays "
              "for an int in a block of 128: from left to right its instructions, those with all "
              "lanes active first; black is where lanes are at work. The first box is the longest, "
              "and in its last third ever fewer lanes are at work; the second and third are "
              "shorter, with a "
              "short white end; the fourth has little more than half of the third's length; the "
              "fifth and sixth are shorter still, and the seventh is the shortest.");
    svg_words(file, LEFT, TOP - 8, "start", "lane slots an int; black: lanes at work");
    for (int i = 0; i < N_RUNGS; i++) {
        uint64_t instructions[N_LANES + 1] = {0};

        if (!trace(simt, source, &rungs[i], instructions))
            return false;
        draw_rung(file, &rungs[i], instructions, TOP + i * ROW);
    }
    svg_end(file);
    return true;
}
