#include "handouts/figures/boxes.h"

#include "handouts/figures/svg.h"

enum { HEIGHT = 20 };

int boxes_x(const struct boxes *boxes, int column) {
    int gaps = boxes->gap > 0 ? column / boxes->gap : 0;

    return boxes->x + column * boxes->pitch + gaps * 20;
}

void boxes_row(FILE *file, const struct boxes *boxes, int row, const int *values, unsigned faint) {
    int y = boxes->y + row * boxes->row_pitch;

    for (int c = 0; c < boxes->n; c++) {
        int x = boxes_x(boxes, c);

        svg_box(file, x, y, boxes->width, HEIGHT, (faint >> c & 1) != 0);
        svg_words(file, x + boxes->width / 2, y + 14, "middle", values[c] < 0 ? "−%d" : "%d",
                  values[c] < 0 ? -values[c] : values[c]);
    }
}

void boxes_arrows(FILE *file, const struct boxes *boxes, int row, const int *from) {
    int top = boxes->y + (row - 1) * boxes->row_pitch + HEIGHT;
    int foot = boxes->y + row * boxes->row_pitch;

    for (int c = 0; c < boxes->n; c++) {
        int x = boxes_x(boxes, c) + boxes->width / 2;

        svg_line(file, x, top, x, foot);
        if (from[c] == c)
            svg_line(file, x + 4, top, x + 4, foot);
        else if (from[c] >= 0)
            svg_arrow(file, boxes_x(boxes, from[c]) + boxes->width / 2, top,
                      x + (from[c] < c ? -5 : 5), foot);
    }
}
