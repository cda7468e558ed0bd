/*
 * The scan of a block by shuffles: which lanes of its warps take part in each stage, from the
 * simulator's trace of the model answer, and what the warps' totals come to.
 */
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 128, N_WARPS = BLOCK / 32, SLOT = 56 };
enum { SIDE = 4, PITCH = 5, WARP_PITCH = 32 * PITCH + 8, LEFT = 190, ROW = 36, TOP = 44 };
enum { WIDTH = LEFT + N_WARPS * WARP_PITCH + 4, HEIGHT = TOP + 10 * ROW };

/* The stages, by the source line that makes them. */
enum stage { SHUFFLES, STORE, BARRIER, LOAD, LAST_SHUFFLES, WRITE, LAST_BARRIER, ADD, N_STAGES };

struct stages {
    uint32_t lanes[N_STAGES][N_WARPS];
    unsigned lines[N_STAGES]; /* 0: the stage is another one's line, met again */
    int out[BLOCK];
};

/* The stage of an event of this line, in a warp that has come to the first barrier or has not. */
static int stage_of(const struct stages *stages, unsigned line, bool has_met) {
    if (line == stages->lines[SHUFFLES])
        return has_met ? LAST_SHUFFLES : SHUFFLES;
    for (int stage = 0; stage < N_STAGES; stage++)
        if (line == stages->lines[stage])
            return stage;
    return -1;
}

static bool trace(struct simt *simt, const struct figure_source *source, struct stages *stages) {
    const struct figure_launch launch = {"scan_blocks_kernel", "PKimPi", 1, BLOCK, 0};
    struct {
        uint64_t in, n, out;
    } parameters = {.n = BLOCK};
    bool has_met[N_WARPS] = {false};
    int numbers[BLOCK];
    struct simt_report report;
    unsigned from = figure_line(source, 0, "block_scan(int value)");

    for (int i = 0; i < BLOCK; i++)
        numbers[i] = i * 7 % 13 - 5;
    stages->lines[SHUFFLES] = figure_line(source, 0, "__shfl_up_sync(ALL_LANES, value, d)");
    stages->lines[STORE] = figure_line(source, from, "before[warp] = value");
    stages->lines[BARRIER] = figure_line(source, from, "__syncthreads()");
    stages->lines[LOAD] = figure_line(source, from, "lane < n_warps ? before[lane]");
    stages->lines[WRITE] = figure_line(source, from, "before[lane] = warp_scan(total)");
    stages->lines[LAST_BARRIER] =
        figure_line(source, stages->lines[BARRIER], "__syncthreads(); // all");
    stages->lines[ADD] = figure_line(source, from, "return before[warp] + value");
    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.out, NULL, sizeof numbers) ||
        !figure_launch(simt, source, &launch, &parameters, &report) ||
        simt_read(simt, stages->out, parameters.out, sizeof numbers) != SIMT_OK)
        return false;
    for (size_t i = 0; i < report.launches[0].n_events; i++) {
        const struct simt_event *event = &report.launches[0].events[i];
        int stage = event->line > 0 ? stage_of(stages, event->line, has_met[event->warp]) : -1;

        if (stage >= 0)
            stages->lanes[stage][event->warp] |= event->mask;
        has_met[event->warp] |= stage == BARRIER;
    }
    return report.launches[0].total.shuffles == 5 * N_WARPS + 5;
}

static void draw_stage(FILE *file, int row, const char *what, const uint32_t lanes[N_WARPS]) {
    const struct svg_row first = {LEFT, TOP + row * ROW, SIDE, PITCH};

    svg_words(file, LEFT - 12, first.y + 6, "end", "%s", what);
    svg_warps(file, &first, WARP_PITCH, lanes, N_WARPS);
}

/* Words of shared memory in the middle of a row: each warp's total, or what comes before it. */
static void draw_words(FILE *file, int row, const char *what, const struct stages *stages,
                       bool is_before) {
    int y = TOP + row * ROW - 7;

    svg_words(file, LEFT - 12, y + 14, "end", "%s", what);
    for (int warp = 0; warp < N_WARPS; warp++) {
        int x = LEFT + warp * SLOT, before = warp > 0 ? stages->out[warp * 32 - 1] : 0;
        int value = is_before ? before : stages->out[warp * 32 + 31] - before;

        svg_box(file, x, y, SLOT, 18, false);
        svg_words(file, x + SLOT / 2, y + 13, "middle", value < 0 ? "−%d" : "%d",
                  value < 0 ? -value : value);
    }
}

bool draw_warp_totals(FILE *file, struct simt *simt, const struct figure_source *source) {
    struct stages stages;

    memset(&stages, 0, sizeof stages);
    if (!trace(simt, source, &stages))
        return false;
    svg_begin(
        file, WIDTH, HEIGHT, "The scan of a block by shuffles",
        "A block of 128 threads, four warps; a black square is a lane that takes part, a line a "
        "warp that does not. All lanes of all warps make five shuffles. Lane 31 of each warp "
        "stores the warp's total into a word of shared memory. All warps wait at a barrier. Warp "
        "0 reads the totals, makes five shuffles more, and stores what comes before each warp. "
        "All warps wait at the second barrier; then all threads add their warp's word.");
    for (int warp = 0; warp < N_WARPS; warp++)
        svg_words(file, LEFT + warp * WARP_PITCH, 22, "start", "warp %d", warp);
    draw_stage(file, 0, "5 shuffles in each warp", stages.lanes[SHUFFLES]);
    draw_stage(file, 1, "lane 31 stores the total", stages.lanes[STORE]);
    draw_words(file, 2, "shared memory: totals", &stages, false);
    draw_stage(file, 3, "barrier", stages.lanes[BARRIER]);
    draw_stage(file, 4, "warp 0 reads the totals", stages.lanes[LOAD]);
    draw_stage(file, 5, "5 shuffles in warp 0", stages.lanes[LAST_SHUFFLES]);
    draw_stage(file, 6, "warp 0 stores", stages.lanes[WRITE]);
    draw_words(file, 7, "shared memory: before", &stages, true);
    draw_stage(file, 8, "barrier", stages.lanes[LAST_BARRIER]);
    draw_stage(file, 9, "all add their warp's word", stages.lanes[ADD]);
    svg_end(file);
    for (int stage = 0; stage < N_STAGES; stage++)
        if (stages.lanes[stage][0] == 0)
            return false;
    return true;
}
