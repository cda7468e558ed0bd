/*
 * What each of a few threads holds, row by row: a box a thread with a number in it, and between two
 * rows an arrow from the thread whose number was taken.
 */
#ifndef BOXES_H
#define BOXES_H

#include <stdio.h>

enum { BOXES_COLUMNS = 12 };

struct boxes {
    int x, y;                    /* of the first box */
    int pitch, row_pitch, width; /* from a box to the next, from a row to the next; of a box */
    int n;                       /* columns */
    int gap;                     /* columns after which there is a little more room; 0: none */
};

/* Left edge of a column's box. */
int boxes_x(const struct boxes *boxes, int column);

/* A row of numbers. The columns whose bit in `faint` is set have dashed edges. */
void boxes_row(FILE *file, const struct boxes *boxes, int row, const int *values, unsigned faint);

/* Into each column of a row, from the row above: a thin line for what the column keeps, an arrow
 * from column from[c] for what it takes; from[c] < 0: nothing taken; c itself: a double line. */
void boxes_arrows(FILE *file, const struct boxes *boxes, int row, const int *from);

#endif
