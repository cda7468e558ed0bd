/* Drawings of numbers, each with the same numbers as a table: inline SVG in the text's colour.
 * Charts that are to be compared get the same `most`. */
#pragma once

#include "grader/report/html/count/insight.h"
#include "grader/report/html/html.h"

struct chart {
    const char *title; /* what is drawn: "01-sum" */
    const char *axis;  /* below it: "per cent of the points" */
    unsigned n_bins;   /* what is larger goes to the last */
    unsigned bin;      /* per cent of each */
    size_t most;       /* students that the full height stands for; no bin has more */
};

/* Students in the bin that has the most. */
size_t chart_most(const struct chart *chart, const struct insight_numbers *numbers);

/* How many of the numbers, where 1 is 100 per cent, are in each bin: a figure, its caption with the
 * median, and the table. */
void chart_histogram(struct html *html, const struct chart *chart,
                     const struct insight_numbers *numbers);

/* A bar in a cell of a table: `part` of `whole`. */
void chart_bar(struct html *html, size_t part, size_t whole);

/* In a drawing: a text that starts, ends or has its middle there; and a line. */
void chart_words(struct html *html, double x, double y, const char *anchor, const char *text);
void chart_line(struct html *html, const char *class, double x, double y, double to_x, double to_y);
