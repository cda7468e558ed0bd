/*
 * The sum of a block by shuffles: which lanes of its warps take part in each stage, from the
 * simulator's trace of the model answer.
 */
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 128, N_WARPS = BLOCK / 32, SLOT = 40 };
enum { SIDE = 4, PITCH = 5, WARP_PITCH = 32 * PITCH + 8, LEFT = 170, ROW = 40, TOP = 44 };
enum { WIDTH = LEFT + N_WARPS * WARP_PITCH + 4, HEIGHT = TOP + 6 * ROW };

/* The stages, by the source line that makes them. */
enum stage { SHUFFLES, STORE, BARRIER, LOAD, LAST_SHUFFLES, RESULT, N_STAGES };

struct stages {
    uint32_t lanes[N_STAGES][N_WARPS];
    unsigned lines[N_STAGES]; /* 0: the stage is another one's line, met again */
};

static bool trace(struct simt *simt, const struct figure_source *source, struct stages *stages) {
    const struct figure_launch launch = {"sum_blocks_kernel", "PKfmjPf", 1, BLOCK, 0};
    struct {
        uint64_t in, n;
        uint32_t block;
        uint64_t out;
    } parameters = {.n = BLOCK, .block = BLOCK};
    static const float numbers[BLOCK];
    bool has_met[N_WARPS] = {false};
    struct simt_report report;
    unsigned from = figure_line(source, 0, "block_sum(float value)");

    stages->lines[SHUFFLES] = figure_line(source, 0, "value += __shfl_down_sync");
    stages->lines[STORE] = figure_line(source, from, "sums[warp] = value");
    stages->lines[BARRIER] = figure_line(source, from, "__syncthreads()");
    stages->lines[LOAD] = figure_line(source, from, "lane < n_warps ? sums[lane]");
    stages->lines[RESULT] = figure_line(source, from, "out[blockIdx.x] = sum");
    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.out, NULL, sizeof(float)) ||
        !figure_launch(simt, source, &launch, &parameters, &report))
        return false;
    for (size_t i = 0; i < report.launches[0].n_events; i++) {
        const struct simt_event *event = &report.launches[0].events[i];

        for (int stage = 0; stage < N_STAGES; stage++)
            if (event->line == stages->lines[stage] && event->line != 0) {
                bool is_again = stage == SHUFFLES && has_met[event->warp];

                stages->lanes[is_again ? LAST_SHUFFLES : stage][event->warp] |= event->mask;
                has_met[event->warp] |= stage == BARRIER;
            }
    }
    return report.launches[0].total.shuffles == 5 * N_WARPS + 5;
}

static void draw_stage(FILE *file, int y, const char *what, const uint32_t lanes[N_WARPS]) {
    const struct svg_row first = {LEFT, y, SIDE, PITCH};

    svg_words(file, LEFT - 12, y + 6, "end", "%s", what);
    svg_warps(file, &first, WARP_PITCH, lanes, N_WARPS);
}

/* The slots of shared memory, written by each warp's lane 0 and read by the first warp's lanes. */
static void draw_slots(FILE *file, int y) {
    int left = LEFT;

    svg_words(file, LEFT - 12, y + 14, "end", "shared memory");
    for (int warp = 0; warp < N_WARPS; warp++) {
        int x = left + warp * SLOT;

        svg_box(file, x, y, SLOT, 18, false);
        svg_words(file, x + SLOT / 2, y + 13, "middle", "%d", warp);
        svg_arrow(file, LEFT + warp * WARP_PITCH + SIDE / 2, y - ROW + SIDE + 2, x + SLOT / 2, y);
        svg_arrow(file, x + SLOT / 2, y + 18, LEFT + warp * PITCH + SIDE / 2, y + 2 * ROW + 6);
    }
}

bool draw_block(FILE *file, struct simt *simt, const struct figure_source *source) {
    struct stages stages;

    memset(&stages, 0, sizeof stages);
    if (!trace(simt, source, &stages))
        return false;
    svg_begin(
        file, WIDTH, HEIGHT + 66, "The sum of a block by shuffles",
        "A block of 128 threads, four warps; a black square is a lane that takes part. All lanes "
        "of all warps make five shuffles. Lane 0 of each warp stores the warp's sum into a slot "
        "of shared memory. All warps wait at the barrier. The lanes of warp 0 read a slot each, or "
        "bring 0 where there is none, "
        "and make five shuffles more; then thread 0 has the block's sum and stores it.");
    for (int warp = 0; warp < N_WARPS; warp++)
        svg_words(file, LEFT + warp * WARP_PITCH, 22, "start", "warp %d", warp);
    draw_stage(file, TOP, "5 shuffles in each warp", stages.lanes[SHUFFLES]);
    draw_stage(file, TOP + ROW, "lane 0 stores the sum", stages.lanes[STORE]);
    draw_slots(file, TOP + 2 * ROW);
    draw_stage(file, TOP + 3 * ROW + 20, "barrier", stages.lanes[BARRIER]);
    draw_stage(file, TOP + 4 * ROW + 10, "warp 0 reads the slots", stages.lanes[LOAD]);
    draw_stage(file, TOP + 5 * ROW + 10, "5 shuffles in warp 0", stages.lanes[LAST_SHUFFLES]);
    draw_stage(file, TOP + 6 * ROW + 10, "thread 0 stores", stages.lanes[RESULT]);
    svg_end(file);
    for (int stage = 0; stage < N_STAGES; stage++)
        if (stages.lanes[stage][0] == 0)
            return false;
    return true;
}
