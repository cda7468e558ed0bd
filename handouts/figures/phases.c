/* A scan in three phases, over three tiles of four numbers: what memory holds after each launch of
 * the kernels with one int a thread. */
#include "handouts/figures/boxes.h"
#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { TILES = 3, THREADS = 4, N = TILES * THREADS };
enum { LEFT = 150, PITCH = 44, ROW = 56, TOP = 30 };

struct arrays {
    int tiles[N], totals[TILES], before[TILES], raised[N];
};

static bool run(struct simt *simt, const struct figure_source *source, const int *in,
                struct arrays *arrays) {
    const struct figure_launch scan = {"scan_tiles_kernel", "PKimbPiS1_", TILES, THREADS,
                                       THREADS * sizeof(int)},
                               middle = {"scan_tiles_kernel", "PKimbPiS1_", 1, THREADS,
                                         THREADS * sizeof(int)},
                               raise = {"add_offsets_kernel", "PimPKi", TILES, THREADS, 0};
    struct {
        uint64_t in, n;
        bool exclusive;
        uint64_t out, totals;
    } tiles = {.n = N}, totals = {.n = TILES, .exclusive = true};
    struct {
        uint64_t out, n, offsets;
    } add = {.n = N};
    struct simt_report report;

    if (!figure_array(simt, &tiles.in, in, N * sizeof *in) ||
        !figure_array(simt, &tiles.out, NULL, N * sizeof *in) ||
        !figure_array(simt, &tiles.totals, NULL, TILES * sizeof *in))
        return false;
    totals.in = totals.out = add.offsets = tiles.totals;
    add.out = tiles.out;
    return figure_launch(simt, source, &scan, &tiles, &report) &&
           simt_read(simt, arrays->tiles, tiles.out, sizeof arrays->tiles) == SIMT_OK &&
           simt_read(simt, arrays->totals, tiles.totals, sizeof arrays->totals) == SIMT_OK &&
           figure_launch(simt, source, &middle, &totals, &report) &&
           simt_read(simt, arrays->before, tiles.totals, sizeof arrays->before) == SIMT_OK &&
           figure_launch(simt, source, &raise, &add, &report) &&
           simt_read(simt, arrays->raised, tiles.out, sizeof arrays->raised) == SIMT_OK;
}

/* The totals stand below the last thread of their tile; what comes before a tile, above its second.
 */
static void draw_totals(FILE *file, const struct boxes *all, const struct arrays *arrays) {
    int foot = all->y + ROW + 20, y = all->y + 2 * ROW, below = y + ROW;

    for (int tile = 0; tile < TILES; tile++) {
        int last = boxes_x(all, tile * THREADS + THREADS - 1), first = boxes_x(all, tile * THREADS);
        struct boxes one = {last, y, PITCH, ROW, 36, 1, 0};

        svg_arrow(file, last + 18, foot, last + 18, y);
        boxes_row(file, &one, 0, &arrays->totals[tile], 0);
        for (int later = tile + 1; later < TILES; later++)
            svg_arrow(file, last + 18, y + 20, boxes_x(all, later * THREADS) + 36 + 18, below);
        one.x = first + 36;
        boxes_row(file, &one, 1, &arrays->before[tile], 0);
        for (int t = 0; t < THREADS; t++)
            svg_arrow(file, first + 54, below + 20, boxes_x(all, tile * THREADS + t) + 18,
                      below + ROW);
    }
}

bool draw_phases(FILE *file, struct simt *simt, const struct figure_source *source) {
    static const int numbers[N] = {3, 1, -4, 1, -5, 9, 2, -6, 7, 7, -3, 2};
    static const char *const rows[] = {"in", "1  scan the tiles", "their totals",
                                       "2  scan the totals", "3  add to the tiles"};
    const struct boxes boxes = {LEFT, TOP, PITCH, ROW, 36, N, THREADS};
    struct arrays arrays;
    int sum = 0;

    if (!run(simt, source, numbers, &arrays))
        return false;
    svg_begin(
        file, LEFT + N * PITCH + TILES * 20, TOP + 4 * ROW + 34, "A scan in three phases",
        "Twelve numbers in three tiles of four. Phase 1 scans each tile by itself and notes its "
        "total: 1, 0 and 13. Phase 2 scans the totals, exclusive: 0, 1 and 1 come before the "
        "tiles. Phase 3 adds these to each number of their tiles.");
    for (int i = 0; i < 5; i++)
        svg_words(file, LEFT - 14, TOP + 14 + i * ROW, "end", "%s", rows[i]);
    for (int tile = 0; tile < TILES; tile++)
        svg_words(file, boxes_x(&boxes, tile * THREADS), TOP - 10, "start", "tile %d", tile);
    boxes_row(file, &boxes, 0, numbers, 0);
    boxes_row(file, &boxes, 1, arrays.tiles, 0);
    draw_totals(file, &boxes, &arrays);
    boxes_row(file, &boxes, 4, arrays.raised, 0);
    svg_end(file);
    for (int i = 0; i < N; i++) {
        sum += numbers[i];
        if (arrays.raised[i] != sum)
            return false;
    }
    return true;
}
