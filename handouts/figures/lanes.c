/*
 * Which lanes of a block's warps add in each step of a sum: from the simulator's trace, the active
 * masks at the line of the addition, between two barriers.
 */
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/svg.h"

enum { BLOCK = 128, N_WARPS = BLOCK / 32, N_STEPS = 7 };
enum { SIDE = 4, PITCH = 5, WARP_PITCH = 32 * PITCH + 8, LEFT = 70, ROW = 18 };
enum { WIDTH = LEFT + N_WARPS * WARP_PITCH + 4, VERSION_HEIGHT = (N_STEPS + 3) * ROW };

/* One version of the sum. */
struct version {
    const char *kernel, *title;
    const char *addition; /* the source line that adds */
    bool is_halving;      /* strides 64, 32 … 1 instead of 1, 2 … 64 */
};

/* The lanes that add in each step of each warp. */
static bool trace(struct simt *simt, const struct figure_source *source, const struct version *v,
                  uint32_t masks[N_STEPS][N_WARPS]) {
    struct {
        uint64_t in, n, partials;
    } parameters = {.n = BLOCK};
    const struct figure_launch launch = {v->kernel, "PKimPi", 1, BLOCK, BLOCK * sizeof(int)};
    int numbers[BLOCK] = {0};
    struct simt_report report;

    if (!figure_array(simt, &parameters.in, numbers, sizeof numbers) ||
        !figure_array(simt, &parameters.partials, NULL, sizeof numbers) ||
        !figure_launch(simt, source, &launch, &parameters, &report))
        return false;
    return figure_steps(source, v->kernel, v->addition, &report, N_WARPS, N_STEPS, masks[0]);
}

static void draw_step(FILE *file, int y, const uint32_t masks[N_WARPS]) {
    for (int warp = 0; warp < N_WARPS; warp++) {
        const struct svg_row row = {LEFT + warp * WARP_PITCH, y, SIDE, PITCH};

        if (masks[warp] == 0)
            svg_line(file, row.x, y + SIDE / 2, row.x + 32 * PITCH - 1, y + SIDE / 2);
        else
            svg_squares(file, &row, masks[warp]);
    }
}

static bool draw_version(FILE *file, struct simt *simt, const struct figure_source *source,
                         const struct version *v, int top) {
    uint32_t masks[N_STEPS][N_WARPS] = {{0}};

    if (!trace(simt, source, v, masks))
        return false;
    svg_words(file, 4, top + ROW, "start", "%s", v->title);
    for (int warp = 0; warp < N_WARPS; warp++)
        svg_words(file, LEFT + warp * WARP_PITCH, top + 2 * ROW, "start", "warp %d", warp);
    for (int step = 0; step < N_STEPS; step++) {
        int y = top + (step + 3) * ROW - SIDE;

        svg_words(file, LEFT - 10, y + SIDE + 2, "end", "stride %d",
                  v->is_halving ? BLOCK / 2 >> step : 1 << step);
        draw_step(file, y, masks[step]);
    }
    return true;
}

bool draw_lanes_01(FILE *file, struct simt *simt, const struct figure_source *source) {
    static const struct version v = {"sum_divergent_kernel", "t % (2 * stride) == 0",
                                     "tile[t] += tile[t + stride]", false};

    svg_begin(
        file, WIDTH, VERSION_HEIGHT + ROW, "Lanes that add, lab 01",
        "A block of 128 threads, seven steps. A black square is a lane that adds, a white one "
        "a lane that waits for it, a line a warp in which nobody adds. At stride 1 every "
        "second lane of all four warps adds, at stride 2 every fourth, until at stride 16 "
        "one lane of each warp is left; at stride 32 only lanes 0 of warps 0 and 2, at "
        "stride 64 only lane 0 of warp 0.");
    if (!draw_version(file, simt, source, &v, 0))
        return false;
    svg_end(file);
    return true;
}

bool draw_lanes_02(FILE *file, struct simt *simt, const struct figure_source *source) {
    static const struct version versions[] = {
        {"sum_strided_kernel", "The version between: thread t adds at word 2 * stride * t",
         "tile[index] += tile[index + stride]", false},
        {"sum_halving_kernel", "The halving stride: thread t adds at word t",
         "tile[t] += tile[t + stride]", true}};

    svg_begin(file, WIDTH, 2 * VERSION_HEIGHT + ROW, "Lanes that add, lab 02",
              "A block of 128 threads, seven steps, two versions with the same picture. A black "
              "square is a lane that adds, a white one a lane that waits for it, a line a warp in "
              "which nobody adds. In the first step all lanes of warps 0 and 1 add, in the second "
              "all of warp 0, then 16, 8, 4, 2 lanes and 1 lane of warp 0: only those last five "
              "steps diverge, and only in one warp.");
    for (int i = 0; i < 2; i++)
        if (!draw_version(file, simt, source, &versions[i], i * VERSION_HEIGHT))
            return false;
    svg_end(file);
    return true;
}
