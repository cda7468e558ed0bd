/* A copy's bandwidth against its resident warps, on a GPU: from handouts/measured/occupancy.csv. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/plot.h"
#include "handouts/figures/svg.h"

enum { N_KERNELS = 4 };

/* The loads of a thread that are under way at once, and the bytes of each. */
static const int kernels[N_KERNELS][2] = {{1, 4}, {4, 4}, {1, 16}, {4, 16}};

/* The rows of the table; false where a kernel has fewer than two. */
static bool fill(const char *path, struct series series[N_KERNELS]) {
    char *text = figure_text(path), *rest = text, *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        int loads, bytes;
        double warps, gbps;

        if (sscanf(line, "%d,%d,%lf,%lf", &loads, &bytes, &warps, &gbps) != 4)
            continue;
        for (int i = 0; i < N_KERNELS; i++)
            if (kernels[i][0] == loads && kernels[i][1] == bytes && series[i].n < 32) {
                series[i].x[series[i].n] = log2(warps);
                series[i].y[series[i].n++] = gbps;
            }
    }
    free(text);
    for (int i = 0; i < N_KERNELS; i++)
        if (series[i].n < 2)
            return false;
    return true;
}

bool draw_occupancy(FILE *file, struct simt *simt, const struct figure_source *source) {
    struct series series[N_KERNELS] = {
        {.mark = PLOT_DISC, .dashes = "", .label = "1 load of 4 bytes", .label_dy = 12},
        {.mark = PLOT_SQUARE, .dashes = "6 4", .label = "4 loads of 4 bytes", .label_dy = 4},
        {.mark = PLOT_RING, .dashes = "2 3", .label = "1 load of 16 bytes", .label_dy = -4},
        {.mark = PLOT_TRIANGLE, .dashes = "", .label = "4 loads of 16 bytes", .label_dy = -30},
    };
    const struct plot plot = {64, 36, 400, 260, 1, 6, 1, 2, 4, "resident warps", "GB/s"};

    (void)simt;
    if (!fill(source->path, series)) {
        fprintf(stderr, "draw: %s has too few rows\n", source->path);
        return false;
    }
    svg_begin(file, 620, 352, "Bandwidth of a copy against its resident warps",
              "Gigabytes a second against the resident warps of a multiprocessor, both axes "
              "logarithmic, on an H200. With one load of 4 bytes a thread the bandwidth rises up "
              "to 64 warps. With more bytes under way in each thread it is higher at every "
              "number of warps, and gains less from many of them.");
    plot_axes(file, &plot);
    for (int i = 0; i < N_KERNELS; i++)
        plot_series(file, &plot, &series[i]);
    svg_end(file);
    return true;
}
