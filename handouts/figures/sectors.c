/*
 * Which words warp 0 stores to in each step of a sum in place, and how many sectors these lie in:
 * the lanes from the simulator's trace, the words by the rule of each version. The simulator's own
 * count of sectors, of all warps and steps, has to agree.
 */
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 128, N_WARPS = BLOCK / 32, N_STEPS = 7, SECTOR = 8 };
enum { SIDE = 4, PITCH = 5, PART_PITCH = 32 * PITCH + 8, LEFT = 70, ROW = 20 };
enum { WIDTH = LEFT + N_WARPS * PART_PITCH + 70, VERSION_HEIGHT = (N_STEPS + 2) * ROW };

struct version {
    const char *kernel, *title;
    const char *addition; /* the source line that adds */
    bool is_packed;       /* thread t adds at word 2 * stride * t, not t */
    bool is_halving;      /* strides 64, 32 … 1 instead of 1, 2 … 64 */
};

static unsigned stride_of(const struct version *v, unsigned step) {
    return v->is_halving ? BLOCK / 2u >> step : 1u << step;
}

/* One bit a word: those in which these lanes of a warp add. */
static void words_of(const struct version *v, unsigned step, unsigned warp, uint32_t mask,
                     uint32_t words[N_WARPS]) {
    memset(words, 0, N_WARPS * sizeof *words);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned t = 32 * warp + lane, word = v->is_packed ? 2 * stride_of(v, step) * t : t;

        if ((mask >> lane & 1) != 0 && word < BLOCK)
            words[word / 32] |= UINT32_C(1) << word % 32;
    }
}

static unsigned sectors_of(const uint32_t words[N_WARPS]) {
    unsigned n = 0;

    for (unsigned first = 0; first < BLOCK; first += SECTOR)
        n += (words[first / 32] >> first % 32 & 0xff) != 0;
    return n;
}

/* The lanes that add in each step of each warp. */
static bool trace(struct simt *simt, const struct figure_source *source, const struct version *v,
                  uint32_t masks[N_STEPS][N_WARPS], uint64_t *n_sectors) {
    struct {
        uint64_t data, n, partials;
    } parameters = {.n = BLOCK};
    const struct figure_launch launch = {v->kernel, "PimS_", 1, BLOCK, 0};
    int numbers[BLOCK] = {0};
    struct simt_report report;

    if (!figure_array(simt, &parameters.data, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.partials, NULL, sizeof numbers) ||
        !figure_launch(simt, source, &launch, &parameters, &report))
        return false;
    *n_sectors = report.launches[0].total.global_store_sectors;
    return figure_steps(source, v->kernel, v->addition, &report, N_WARPS, N_STEPS, masks[0]);
}

static void draw_step(FILE *file, int y, const uint32_t words[N_WARPS]) {
    unsigned n = sectors_of(words);

    for (int part = 0; part < N_WARPS; part++) {
        const struct svg_row row = {LEFT + part * PART_PITCH, y, SIDE, PITCH};

        svg_squares(file, &row, words[part]);
        for (int sector = 0; sector <= 32 / SECTOR; sector++) {
            int x = row.x + sector * SECTOR * PITCH - 1;

            svg_line(file, x, y + SIDE + 1, x, y + SIDE + 5);
        }
    }
    svg_words(file, LEFT + N_WARPS * PART_PITCH, y + SIDE + 2, "start", "%u sector%s", n,
              n == 1 ? "" : "s");
}

static bool draw_version(FILE *file, struct simt *simt, const struct figure_source *source,
                         const struct version *v, int top) {
    uint32_t masks[N_STEPS][N_WARPS] = {{0}}, words[N_WARPS];
    uint64_t counted, all = 1; /* that of the block's sum */

    if (!trace(simt, source, v, masks, &counted))
        return false;
    svg_words(file, 4, top + ROW, "start", "%s", v->title);
    for (unsigned step = 0; step < N_STEPS; step++) {
        int y = top + (int)(step + 2) * ROW - SIDE;

        for (unsigned warp = N_WARPS; warp-- > 0;) {
            words_of(v, step, warp, masks[step][warp], words);
            all += sectors_of(words);
        }
        svg_words(file, LEFT - 10, y + SIDE + 2, "end", "stride %u", stride_of(v, step));
        draw_step(file, y, words); /* of warp 0 */
    }
    if (all != counted)
        fprintf(stderr, "draw: %s stores to %u sectors, not %u\n", v->kernel, (unsigned)counted,
                (unsigned)all);
    return all == counted;
}

bool draw_sectors(FILE *file, struct simt *simt, const struct figure_source *source) {
    static const struct version versions[] = {
        {"sum_neighboured_kernel", "Neighboured pairs: thread t adds in word t",
         "part[t] += part[t + stride]", false, false},
        {"sum_packed_kernel", "Less divergence: thread t adds in word 2 * stride * t",
         "part[index] += part[index + stride]", true, false},
        {"sum_interleaved_kernel", "Interleaved pairs: thread t adds in word t",
         "part[t] += part[t + stride]", false, true}};

    svg_begin(file, WIDTH, 3 * VERSION_HEIGHT + ROW / 2, "Words that warp 0 stores to, lab 07",
              "A block of 128 threads and its 128 words, in sectors of 8. Black are the words to "
              "which warp 0 stores in each step. Neighboured pairs: every second of the first 32 "
              "words at stride 1, in 4 sectors, every fourth at stride 2, every eighth at stride "
              "4, then 2 words in 2 sectors, and 1 word. Less divergence: every second of 64 "
              "words at stride 1, in 8 sectors, every fourth of all 128 at stride 2, in 16, every "
              "eighth at stride 4, in 16, then 8, 4, 2 words and 1, each in a sector of its own. "
              "Interleaved pairs: the first 32 words at strides 64 and 32, in 4 sectors, then 16 "
              "words in 2 sectors, and 8, 4, 2 words and 1 word in 1 sector.");
    for (int i = 0; i < 3; i++)
        if (!draw_version(file, simt, source, &versions[i], i * VERSION_HEIGHT))
            return false;
    svg_end(file);
    return true;
}
