/* What labs 01 to 03 reach on a GPU, beside a copy: from the table handouts/measured/ladder.csv. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/plot.h"
#include "handouts/figures/svg.h"

enum { N_LABS = 3, COPY = N_LABS };

/* The rows of the table; false where a lab has fewer than two. */
static bool fill(const char *path, struct series series[N_LABS + 1]) {
    char *text = figure_text(path), *rest = text, *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        unsigned lab;
        double n, gbps, copy;

        if (sscanf(line, "%u,%lf,%lf,%lf", &lab, &n, &gbps, &copy) != 4 || lab < 1 ||
            lab > N_LABS || series[lab - 1].n == 32)
            continue;
        struct series *of = &series[lab - 1];
        of->x[of->n] = log2(n);
        of->y[of->n++] = gbps;
        if (lab == N_LABS) {
            series[COPY].x[series[COPY].n] = log2(n);
            series[COPY].y[series[COPY].n++] = copy;
        }
    }
    free(text);
    for (int i = 0; i <= COPY; i++)
        if (series[i].n < 2)
            return false;
    return true;
}

bool draw_ladder(FILE *file, struct simt *simt, const struct figure_source *source) {
    struct series series[] = {
        {.mark = PLOT_DISC, .dashes = "", .label = "lab 01, divergent"},
        {.mark = PLOT_SQUARE, .dashes = "", .label = "lab 02, halving"},
        {.mark = PLOT_TRIANGLE, .dashes = "", .label = "lab 03, shuffles", .label_dy = -6},
        {.mark = PLOT_NOTHING, .dashes = "6 4", .label = "a copy", .label_dy = 12},
    };
    struct plot plot = {64, 36, 400, 260, 0, 0, 2, 2, 4, "n, words of 4 bytes", "GB/s"};

    (void)simt;
    if (!fill(source->path, series)) {
        fprintf(stderr, "draw: %s has too few rows\n", source->path);
        return false;
    }
    plot.x_from = (int)series[0].x[0];
    plot.x_to = (int)series[0].x[series[0].n - 1];
    svg_begin(
        file, 600, 352, "Bandwidth of labs 01 to 03",
        "Gigabytes a second against n, both axes logarithmic, on an H200. Lab 01 lies lowest, lab "
        "02 about twice as high, both nearly flat; lab 03 lies far above them and rises with n to "
        "the speed of a copy, the dashed line.");
    plot_axes(file, &plot);
    for (int i = 0; i <= COPY; i++)
        plot_series(file, &plot, &series[i]);
    svg_end(file);
    return true;
}
