#include "handouts/figures/svg.h"

#include <stdarg.h>

void svg_begin(FILE *file, int width, int height, const char *title, const char *text) {
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\" aria-labelledby=\"title text\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<title id=\"title\">%s</title>\n<desc id=\"text\">%s</desc>\n"
            "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
            "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/>"
            "</marker></defs>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, title, text, width, height);
}

void svg_end(FILE *file) {
    fputs("</svg>\n", file);
}

/* The squares of a row whose bit is as wanted, as one path. */
static void draw_squares(FILE *file, const struct svg_row *row, uint32_t bits,
                         const char *colours) {
    if (bits == 0)
        return;
    fputs("<path d=\"", file);
    for (int i = 0; i < 32; i++)
        if ((bits >> i & 1) != 0)
            fprintf(file, "M%d %dh%dv%dh-%dz", row->x + i * row->pitch, row->y, row->side,
                    row->side, row->side);
    fprintf(file, "\" %s/>\n", colours);
}

void svg_squares(FILE *file, const struct svg_row *row, uint32_t black) {
    draw_squares(file, row, ~black, "fill=\"#fff\" stroke=\"#999\"");
    draw_squares(file, row, black, "fill=\"#000\"");
}

void svg_line(FILE *file, int x, int y, int to_x, int to_y) {
    fprintf(file, "<path d=\"M%d %dL%d %d\" stroke=\"#999\"/>\n", x, y, to_x, to_y);
}

void svg_words(FILE *file, int x, int y, const char *anchor, const char *format, ...) {
    va_list arguments;

    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputs("</text>\n", file);
}

void svg_warps(FILE *file, const struct svg_row *first, int pitch, const uint32_t *black, int n) {
    struct svg_row row = *first;

    for (int warp = 0; warp < n; warp++, row.x += pitch)
        if (black[warp] == 0)
            svg_line(file, row.x, row.y + row.side / 2, row.x + 32 * row.pitch - 1,
                     row.y + row.side / 2);
        else
            svg_squares(file, &row, black[warp]);
}

void svg_arrow(FILE *file, int x, int y, int to_x, int to_y) {
    fprintf(file, "<path d=\"M%d %dL%d %d\" stroke=\"#000\" marker-end=\"url(#head)\"/>\n", x, y,
            to_x, to_y);
}

void svg_box(FILE *file, int x, int y, int width, int height, bool is_dashed) {
    fprintf(file,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fff\" "
            "stroke=\"#000\"%s/>\n",
            x, y, width, height, is_dashed ? " stroke-dasharray=\"2 3\"" : "");
}

static void begin_path(FILE *file, const double (*points)[2], size_t n) {
    fputs("<path d=\"", file);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%c%.1f %.1f", i == 0 ? 'M' : 'L', points[i][0], points[i][1]);
}

void svg_area(FILE *file, const double (*points)[2], size_t n) {
    begin_path(file, points, n);
    fputs("z\"/>\n", file);
}

void svg_curve(FILE *file, const double (*points)[2], size_t n, const char *dashes) {
    begin_path(file, points, n);
    fprintf(file, "\" fill=\"none\" stroke=\"#000\" stroke-dasharray=\"%s\"/>\n",
            dashes[0] != '\0' ? dashes : "none");
}
