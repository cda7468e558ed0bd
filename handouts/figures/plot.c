#include "handouts/figures/plot.h"

#include <math.h>

#include "handouts/figures/svg.h"

static double across(const struct plot *plot, double power) {
    return plot->x + plot->width * (power - plot->x_from) / (plot->x_to - plot->x_from);
}

static double down(const struct plot *plot, double value) {
    return plot->y + plot->height * (plot->y_to - log10(value)) / (plot->y_to - plot->y_from);
}

/* A power in small figures above its base. */
static void draw_power(FILE *file, double x, double y, const char *anchor, int base, int power) {
    fprintf(file,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%d<tspan dy=\"-5\" font-size=\"9\">%s%d"
            "</tspan></text>\n",
            x, y, anchor, base, power < 0 ? "−" : "", power < 0 ? -power : power);
}

void plot_axes(FILE *file, const struct plot *plot) {
    int foot = plot->y + plot->height, right = plot->x + plot->width;

    for (int power = plot->y_from; power <= plot->y_to; power++) {
        double y = down(plot, pow(10, power));

        svg_line(file, plot->x, (int)y, right, (int)y);
        draw_power(file, plot->x - 8, y + 4, "end", 10, power);
    }
    for (int power = plot->x_from; power <= plot->x_to; power += plot->x_step) {
        double x = across(plot, power);

        svg_line(file, (int)x, plot->y, (int)x, foot);
        draw_power(file, x, foot + 20, "middle", 2, power);
    }
    svg_words(file, plot->x + plot->width / 2, foot + 40, "middle", "%s", plot->x_title);
    svg_words(file, plot->x - 40, plot->y - 12, "start", "%s", plot->y_title);
}

static void draw_mark(FILE *file, const struct series *series, double x, double y) {
    if (series->mark == PLOT_DISC || series->mark == PLOT_RING)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" stroke=\"#000\"/>\n",
                x, y, series->mark == PLOT_DISC ? "#000" : "#fff");
    else if (series->mark == PLOT_SQUARE)
        fprintf(file, "<path d=\"M%.1f %.1fh7v7h-7z\" fill=\"#fff\" stroke=\"#000\"/>\n", x - 3.5,
                y - 3.5);
    else if (series->mark == PLOT_TRIANGLE)
        fprintf(file, "<path d=\"M%.1f %.1fl4 7h-8z\" fill=\"#000\"/>\n", x, y - 4);
}

void plot_series(FILE *file, const struct plot *plot, const struct series *series) {
    double points[32][2];
    int last = series->n - 1;

    for (int i = 0; i < series->n; i++) {
        points[i][0] = across(plot, series->x[i]);
        points[i][1] = down(plot, series->y[i]);
    }
    svg_curve(file, (const double(*)[2])points, (size_t)series->n, series->dashes);
    for (int i = 0; i < series->n; i++)
        draw_mark(file, series, points[i][0], points[i][1]);
    svg_words(file, (int)points[last][0] + 10, (int)points[last][1] + 4 + series->label_dy, "start",
              "%s", series->label);
}
