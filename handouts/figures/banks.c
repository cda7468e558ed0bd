/*
 * How many of a warp's 32 lanes meet in each bank when they read words that lie `stride` apart.
 * The simulator counts the passes; the fullest bank must hold as many.
 */
#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { N_STEPS = 6, N_BANKS = 32, CELL = 18, LEFT = 130, TOP = 54, ROW = 28 };
enum { WIDTH = LEFT + N_BANKS * CELL + 74, HEIGHT = TOP + N_STEPS * ROW };

static bool draw_row(FILE *file, int y, unsigned stride, uint64_t passes) {
    const struct svg_row row = {LEFT, y, CELL - 2, CELL};
    unsigned lanes[N_BANKS] = {0}, fullest = 0;

    for (unsigned lane = 0; lane < 32; lane++)
        lanes[stride * lane % N_BANKS]++;
    svg_squares(file, &row, 0);
    for (unsigned bank = 0; bank < N_BANKS; bank++) {
        int x = LEFT + (int)bank * CELL;

        fullest = lanes[bank] > fullest ? lanes[bank] : fullest;
        if (lanes[bank] > 0)
            svg_words(file, x + CELL / 2 - 1, y + 12, "middle", "%u", lanes[bank]);
    }
    svg_words(file, LEFT - 10, y + 12, "end", stride == 1 ? "next to each other" : "%u apart",
              stride);
    svg_words(file, LEFT + N_BANKS * CELL + 6, y + 12, "start",
              passes == 1 ? "1 pass" : "%u passes", (unsigned)passes);
    if (fullest != passes)
        fprintf(stderr, "draw: words %u apart: %u lanes in a bank, but %u passes\n", stride,
                fullest, (unsigned)passes);
    return fullest == passes;
}

bool draw_banks(FILE *file, struct simt *simt, const struct figure_source *source) {
    const struct figure_launch launch = {"banks_kernel", "Pij", 1, 32, 0};
    struct {
        uint64_t out;
        uint32_t stride;
    } parameters;

    svg_begin(
        file, WIDTH, HEIGHT, "Lanes in each bank",
        "32 lanes read words of shared memory; each row has 32 banks, with the number of lanes "
        "that read from each. Words next to each other: one lane in each bank, 1 pass. 2 "
        "apart: two lanes in every second bank, 2 passes. 4, 8, 16 and 32 apart: 4, 8, 16 and "
        "32 lanes in 8, 4, 2 banks and 1 bank, and as many passes.");
    svg_words(file, LEFT, 16, "start",
              "Lanes that read from each bank, by how far their words lie "
              "apart");
    svg_words(file, LEFT, 44, "start", "bank 0");
    svg_words(file, LEFT + N_BANKS * CELL - 2, 44, "end", "bank 31");
    if (simt_malloc(simt, 32 * sizeof(int), &parameters.out) != SIMT_OK)
        return false;
    for (unsigned step = 0; step < N_STEPS; step++) {
        struct simt_report report;
        uint64_t passes;

        parameters.stride = 1u << step;
        if (!figure_launch(simt, source, &launch, &parameters, &report))
            return false;
        passes = report.launches[0].total.shared_load_wavefronts;
        if (!draw_row(file, TOP + (int)step * ROW, parameters.stride, passes))
            return false;
    }
    svg_end(file);
    return true;
}
