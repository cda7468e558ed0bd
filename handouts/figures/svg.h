/* Drawings in black and white: squares, lines and words, with a text in place of the picture. */
#ifndef SVG_H
#define SVG_H

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

/* Words whose left, middle or right ("start", "middle", "end") is at x, and whose foot is at y. */
void svg_words(FILE *file, int x, int y, const char *anchor, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
