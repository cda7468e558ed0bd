/* Drawings in black and white: squares, lines and words, with a text in place of the picture. */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Begins a drawing; `title` and `text` are what a reader gets who can't see it. */
void svg_begin(FILE *file, int width, int height, const char *title, const char *text);
void svg_end(FILE *file);

/* 32 squares in a row, `pitch` from each left edge to the next: black where the bit is set, else
 * white with a grey edge. */
struct svg_row {
    int x, y, side, pitch;
};
void svg_squares(FILE *file, const struct svg_row *row, uint32_t black);
void svg_line(FILE *file, int x, int y, int to_x, int to_y);

/* The lanes of warps side by side, `pitch` from each warp's left edge to the next: squares, or a
 * line where none of a warp's lanes is black. */
void svg_warps(FILE *file, const struct svg_row *first, int pitch, const uint32_t *black, int n);

/* A black line that ends in an arrowhead; a white box with a black edge, dashed or not. */
void svg_arrow(FILE *file, int x, int y, int to_x, int to_y);
void svg_box(FILE *file, int x, int y, int width, int height, bool is_dashed);

/* A black line through n points; `dashes` is SVG's stroke-dasharray, "" for none. */
void svg_curve(FILE *file, const double (*points)[2], size_t n, const char *dashes);

/* A black area within n points. */
void svg_area(FILE *file, const double (*points)[2], size_t n);

/* Words whose left, middle or right ("start", "middle", "end") is at x, and whose foot is at y. */
void svg_words(FILE *file, int x, int y, const char *anchor, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
