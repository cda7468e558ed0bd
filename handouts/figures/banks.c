/*
 * How many words a warp's lanes want from each bank when they read words that lie `stride` apart:
 * for lab 02, 32 lanes and as many words; for lab 13, lanes of blocks of edge × edge threads, of
 * which those with the same x want the same word. The simulator counts the passes; the fullest bank
 * must hold as many words.
 */
#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { N_STEPS = 6, N_TILES = 4, N_BANKS = 32, CELL = 18, LEFT = 130, TOP = 54, ROW = 28 };
enum { WIDTH = LEFT + N_BANKS * CELL + 74 };

/* `n_words` words; the row's title is drawn by the caller. */
static bool draw_row(FILE *file, int y, unsigned stride, unsigned n_words, uint64_t passes) {
    const struct svg_row row = {LEFT, y, CELL - 2, CELL};
    unsigned words[N_BANKS] = {0}, fullest = 0;

    for (unsigned i = 0; i < n_words; i++)
        words[stride * i % N_BANKS]++;
    svg_squares(file, &row, 0);
    for (unsigned bank = 0; bank < N_BANKS; bank++) {
        int x = LEFT + (int)bank * CELL;

        fullest = words[bank] > fullest ? words[bank] : fullest;
        if (words[bank] > 0)
            svg_words(file, x + CELL / 2 - 1, y + 12, "middle", "%u", words[bank]);
    }
    svg_words(file, LEFT + N_BANKS * CELL + 6, y + 12, "start",
              passes == 1 ? "1 pass" : "%u passes", (unsigned)passes);
    if (fullest != passes)
        fprintf(stderr, "draw: words %u apart: %u in a bank, but %u passes\n", stride, fullest,
                (unsigned)passes);
    return fullest == passes;
}

static void draw_ends(FILE *file) {
    svg_words(file, LEFT, 44, "start", "bank 0");
    svg_words(file, LEFT + N_BANKS * CELL - 2, 44, "end", "bank 31");
}

bool draw_banks(FILE *file, struct simt *simt, const struct figure_source *source) {
    const struct figure_launch launch = {"banks_kernel", "Pij", 1, 32, 0};
    struct {
        uint64_t out;
        uint32_t stride;
    } parameters;

    svg_begin(
        file, WIDTH, TOP + N_STEPS * ROW, "Lanes in each bank",
        "32 lanes read words of shared memory; each row has 32 banks, with the number of lanes "
        "that read from each. Words next to each other: one lane in each bank, 1 pass. 2 "
        "apart: two lanes in every second bank, 2 passes. 4, 8, 16 and 32 apart: 4, 8, 16 and "
        "32 lanes in 8, 4, 2 banks and 1 bank, and as many passes.");
    svg_words(file, LEFT, 16, "start",
              "Lanes that read from each bank, by how far their words lie "
              "apart");
    draw_ends(file);
    if (simt_malloc(simt, 32 * sizeof(int), &parameters.out) != SIMT_OK)
        return false;
    for (unsigned step = 0; step < N_STEPS; step++) {
        struct simt_report report;
        uint64_t passes;

        parameters.stride = 1u << step;
        if (!figure_launch(simt, source, &launch, &parameters, &report))
            return false;
        passes = report.launches[0].total.shared_load_wavefronts;
        int y = TOP + (int)step * ROW;
        svg_words(file, LEFT - 10, y + 12, "end",
                  parameters.stride == 1 ? "next to each other" : "%u apart", parameters.stride);
        if (!draw_row(file, y, parameters.stride, 32, passes))
            return false;
    }
    svg_end(file);
    return true;
}

bool draw_tile_banks(FILE *file, struct simt *simt, const struct figure_source *source) {
    /* Blocks of 16 × 16 are left out: a question asks for them. */
    static const unsigned edges[N_TILES] = {8, 8, 32, 32}, rows[] = {8, 9, 32, 33};
    const struct figure_launch launch = {"rows_kernel", "Pijj", 1, 32, 0};
    struct {
        uint64_t out;
        uint32_t edge, row;
    } parameters;

    svg_begin(
        file, WIDTH, TOP + N_TILES * ROW, "Words in each bank",
        "Four rows of 32 banks, with the number of different words that a warp wants from each. "
        "Rows of 8 words, blocks of 8 × 8: two words in each of 4 banks, 2 passes. Rows of 9: "
        "one word in each of 8 banks, 1 pass. Rows of 32, blocks of 32 × 32: 32 words in one "
        "bank, 32 passes. Rows of 33: one word in each bank, 1 pass.");
    svg_words(file, LEFT, 16, "start",
              "Different words that a warp wants from each bank, each lane one of its own row");
    draw_ends(file);
    if (simt_malloc(simt, 32 * sizeof(int), &parameters.out) != SIMT_OK)
        return false;
    for (unsigned step = 0; step < N_TILES; step++) {
        struct simt_report report;
        int y = TOP + (int)step * ROW;

        parameters.edge = edges[step];
        parameters.row = rows[step];
        if (!figure_launch(simt, source, &launch, &parameters, &report))
            return false;
        svg_words(file, LEFT - 10, y + 12, "end", "rows of %u words", rows[step]);
        if (!draw_row(file, y, rows[step], edges[step],
                      report.launches[0].total.shared_load_wavefronts))
            return false;
    }
    svg_end(file);
    return true;
}
