/* A plot with two logarithmic axes: x by powers of 2, y by powers of 10. */
#ifndef PLOT_H
#define PLOT_H

#include <stdio.h>

struct plot {
    int x, y, width, height;  /* of the area, in the drawing */
    int x_from, x_to, x_step; /* powers of 2 */
    int y_from, y_to;         /* powers of 10 */
    const char *x_title, *y_title;
};

/* Points of one thing: powers of 2 against values; the mark of each, and the line through them. */
struct series {
    double x[32], y[32];
    int n;
    enum { PLOT_NOTHING, PLOT_DISC, PLOT_RING, PLOT_SQUARE, PLOT_TRIANGLE } mark;
    const char *dashes; /* SVG's stroke-dasharray, "" for none */
    const char *label;  /* right of the last point */
    int label_dy;
};

/* Axes with their numbers and faint lines. */
void plot_axes(FILE *file, const struct plot *plot);
void plot_series(FILE *file, const struct plot *plot, const struct series *series);

#endif
