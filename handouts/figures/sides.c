/*
 * Which lanes of a block's warps take which side of a branch: from the simulator's trace, the
 * active masks in the two functions that it chooses between.
 */
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 128, N_WARPS = BLOCK / 32 };
enum { SIDE = 4, PITCH = 5, WARP_PITCH = 32 * PITCH + 8, LEFT = 80, ROW = 18 };
enum { WIDTH = LEFT + N_WARPS * WARP_PITCH + 4, VERSION_HEIGHT = 5 * ROW };

static const char *const sides[2] = {"mix_even", "mix_odd"};

/* The lanes of each warp in each of the functions, whose bodies `source` has. */
static bool trace(struct simt *simt, const struct figure_source *source, const char *kernel,
                  uint32_t masks[2][N_WARPS]) {
    struct {
        uint64_t in, n, out;
    } parameters = {.n = BLOCK};
    const struct figure_launch launch = {kernel, "PKimPi", 1, BLOCK, 0};
    const unsigned lines[2] = {figure_line(source, 0, "bits = bits * bits"),
                               figure_line(source, 0, "bits ^= bits << 13")};
    const char *name = strrchr(source->path, '/') + 1;
    int numbers[BLOCK] = {0};
    struct simt_report report;

    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.out, NULL, sizeof numbers) ||
        !figure_launch(simt, source, &launch, &parameters, &report))
        return false;
    for (size_t i = 0; i < report.launches[0].n_events; i++) {
        const struct simt_event *event = &report.launches[0].events[i];

        for (int side = 0; side < 2; side++)
            if (event->warp < N_WARPS && event->line == lines[side] && event->file &&
                strstr(event->file, name) != NULL)
                masks[side][event->warp] |= event->mask;
    }
    return lines[0] != 0 && lines[1] != 0;
}

static bool draw_version(FILE *file, struct simt *simt, const struct figure_source *source,
                         const char *kernel, const char *title, int top) {
    uint32_t masks[2][N_WARPS] = {{0}};

    if (!trace(simt, source, kernel, masks))
        return false;
    svg_words(file, 4, top + ROW, "start", "%s", title);
    for (int side = 0; side < 2; side++) {
        int y = top + (side + 3) * ROW - SIDE;

        svg_words(file, LEFT - 10, y + SIDE + 2, "end", "%s", sides[side]);
        for (int warp = 0; warp < N_WARPS; warp++) {
            const struct svg_row row = {LEFT + warp * WARP_PITCH, y, SIDE, PITCH};

            if (side == 0)
                svg_words(file, row.x, top + 2 * ROW, "start", "warp %d", warp);
            if (masks[side][warp] == 0)
                svg_line(file, row.x, y + SIDE / 2, row.x + 32 * PITCH - 1, y + SIDE / 2);
            else
                svg_squares(file, &row, masks[side][warp]);
        }
    }
    return true;
}

bool draw_sides(FILE *file, struct simt *simt, const struct figure_source *source) {
    svg_begin(file, WIDTH, 2 * VERSION_HEIGHT, "Lanes on each side of a branch, lab 06",
              "A block of 128 threads, two versions. A black square is a lane that is at work, a "
              "white one a lane that waits for it, a line a warp that does not come there. "
              "mix_neighbours: each of the four warps goes through mix_even with lanes 0, 2, 4 "
              "and so on, and through mix_odd with the others. mix_by_warps: warps 0 and 1 go "
              "through mix_even alone, warps 2 and 3 through mix_odd alone, with all lanes.");
    if (!draw_version(file, simt, source, "mix_neighbours_kernel",
                      "mix_neighbours: neighbouring lanes take different sides", 0) ||
        !draw_version(file, simt, source, "mix_by_warps_kernel",
                      "mix_by_warps: whole warps take one side", VERSION_HEIGHT))
        return false;
    svg_end(file);
    return true;
}
