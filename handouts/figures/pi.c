/* The trapezoidal rule for the quarter circle: its trapezoids, and its errors from the table
 * handouts/measured/pi_error.csv. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "handouts/figures/figure.h"
#include "handouts/figures/plot.h"
#include "handouts/figures/svg.h"

enum { STRIPS = 4, SIDE = 300, LEFT = 90, TOP = 30 };

static void at(double point[2], double x) {
    point[0] = LEFT + SIDE * x;
    point[1] = TOP + SIDE * (1 - sqrt(1 - x * x));
}

bool draw_trapezoids(FILE *file, struct simt *simt, const struct figure_source *source) {
    double arc[101][2], chords[STRIPS + 1][2];

    (void)simt;
    (void)source;
    svg_begin(
        file, LEFT + SIDE + 60, TOP + SIDE + 60, "Four trapezoids below a quarter circle",
        "A quarter of the circle of radius 1 over x from 0 to 1, and four strips of width 0.25, "
        "each closed by a straight line between two points of the circle, at heights 1, 0.968, "
        "0.866, 0.661 and 0. All lines lie below the circle; the gap is widest in the last strip, "
        "where the circle falls steeply. The points' weights are one half at both ends, else 1.");
    for (int i = 0; i <= 100; i++)
        at(arc[i], sin(i * M_PI / 200));
    for (int i = 0; i <= STRIPS; i++) {
        double x = (double)i / STRIPS;
        int foot = TOP + SIDE;

        at(chords[i], x);
        svg_line(file, (int)chords[i][0], (int)chords[i][1], (int)chords[i][0], foot);
        svg_words(file, (int)chords[i][0], foot + 20, "middle", "%.2f", x);
        svg_words(file, (int)chords[i][0], foot + 40, "middle", i % STRIPS == 0 ? "½" : "1");
        svg_words(file, (int)chords[i][0] + 6, (int)chords[i][1] - 6, "start", "%.3f",
                  sqrt(1 - x * x));
    }
    svg_line(file, LEFT, TOP + SIDE, LEFT + SIDE, TOP + SIDE);
    svg_words(file, LEFT - 26, TOP + SIDE + 20, "end", "x");
    svg_words(file, LEFT - 26, TOP + SIDE + 40, "end", "weight");
    svg_curve(file, (const double(*)[2])arc, 101, "");
    svg_curve(file, (const double(*)[2])chords, STRIPS + 1, "6 4");
    svg_end(file);
    return true;
}

/* The rows of the table. */
static void fill(const char *path, struct series *in_double, struct series *in_float) {
    char *text = figure_text(path), *rest = text, *line;
    double n, of_double, of_float;

    while ((line = strsep(&rest, "\n")) != NULL)
        if (sscanf(line, "%lf,%lf,%lf", &n, &of_double, &of_float) == 3 && in_double->n < 32) {
            in_double->x[in_double->n] = in_float->x[in_float->n] = log2(n);
            in_double->y[in_double->n++] = of_double;
            in_float->y[in_float->n++] = of_float;
        }
    free(text);
}

bool draw_errors(FILE *file, struct simt *simt, const struct figure_source *source) {
    struct series in_double = {.mark = PLOT_DISC,
                               .dashes = "1 5",
                               .label = "double",
                               .label_dy = -18},
                  in_float = {.mark = PLOT_RING, .dashes = "1 5", .label = "float"},
                  order = {.dashes = "", .label = "1.176 n^(−3/2)", .label_dy = -3};
    struct plot plot = {64, 36, 440, 330, 10, 24, 2, -11, 0, "n, intervals", "error"};

    (void)simt;
    fill(source->path, &in_double, &in_float);
    if (in_double.n < 2) {
        fprintf(stderr, "draw: %s has too few rows\n", source->path);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        order.x[i] = i == 0 ? plot.x_from : plot.x_to;
        order.y[i] = 4 * sqrt(2) * 0.2078862249773546 * pow(2, -1.5 * order.x[i]);
        order.n++;
    }
    svg_begin(file, 620, 424, "Errors of the rule, in double and in float",
              "The error of the computed value against the number of intervals, both axes "
              "logarithmic. In "
              "double the points lie on a straight line, 1.176 times n to the power of minus three "
              "halves, "
              "down to 2 times 10 to the minus 11 at 2 to the 24. In float they leave the line at "
              "about 2 "
              "to the 12, where rounding takes over, and rise to 0.3.");
    plot_axes(file, &plot);
    plot_series(file, &plot, &order);
    plot_series(file, &plot, &in_double);
    plot_series(file, &plot, &in_float);
    svg_words(file, 96, 110, "start", "in float, rounding takes over");
    svg_arrow(file, 150, 118, 162, 190);
    svg_end(file);
    return true;
}
