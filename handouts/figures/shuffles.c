/*
 * Eight lanes sum by shuffles: what each holds after each step, and whose value it took. Both are
 * what a kernel on the simulator stored.
 */
#include "handouts/figures/boxes.h"
#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { LANES = 8, STEPS = 3, LEFT = 96, PITCH = 62, ROW = 60, PANEL = 268 };

static const int numbers[32] = {3, 1, -4, 1, -5, 9, 2, -6};

/* One way: rows `first` to first + 2 of what the kernel stored. `step` names one, with its number.
 */
static void draw_way(FILE *file, int y, const char *title, const char *step, bool is_down,
                     const int (*held)[32], const int (*from)[32]) {
    const struct boxes boxes = {LEFT, y + 52, PITCH, ROW, 40, LANES, 0};

    svg_words(file, 4, y + 16, "start", "%s", title);
    for (int lane = 0; lane < LANES; lane++)
        svg_words(file, boxes_x(&boxes, lane) + 20, y + 44, "middle", "lane %d", lane);
    svg_words(file, LEFT - 14, y + 66, "end", "holds");
    boxes_row(file, &boxes, 0, numbers, 0);
    for (int i = 0; i < STEPS; i++) {
        unsigned unwanted = is_down ? 0xffu << (4 >> i) : 0;

        boxes_arrows(file, &boxes, i + 1, from[i]);
        boxes_row(file, &boxes, i + 1, held[i], unwanted);
        svg_words(file, LEFT - 14, y + 66 + (i + 1) * ROW, "end", step, is_down ? 4 >> i : 1 << i);
    }
}

bool draw_shuffles(FILE *file, struct simt *simt, const struct figure_source *source) {
    const struct figure_launch launch = {"shuffles_kernel", "PKiPiS1_", 1, 32, 0};
    int held[2 * STEPS][32], from[2 * STEPS][32];
    struct {
        uint64_t in, held, from;
    } parameters;
    struct simt_report report;

    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.held, NULL, sizeof held) ||
        !figure_array(simt, &parameters.from, NULL, sizeof from) ||
        !figure_launch(simt, source, &launch, &parameters, &report) ||
        simt_read(simt, held, parameters.held, sizeof held) != SIMT_OK ||
        simt_read(simt, from, parameters.from, sizeof from) != SIMT_OK)
        return false;
    svg_begin(
        file, LEFT + LANES * PITCH, 2 * PANEL, "Sums by shuffles",
        "Eight lanes hold 3, 1, -4, 1, -5, 9, 2 and -6. Butterfly: in three steps each lane adds "
        "the value of the lane whose number differs in bit 1, 2, 4; then all eight hold 1. "
        "Down-shift: each lane adds the value of the lane 4, 2, 1 further on, or its own where "
        "there is none; then lane 0 holds 1, and the others hold numbers that nobody wants.");
    draw_way(file, 0, "The butterfly: __shfl_xor_sync", "xor %d", false, held, from);
    draw_way(
        file, PANEL,
        "The down-shift: __shfl_down_sync (dashed: nobody wants it; double line: its own back)",
        "delta %d", true, held + STEPS, from + STEPS);
    svg_end(file);
    return held[2][0] == 1 && held[2][7] == 1 && held[5][0] == 1;
}
