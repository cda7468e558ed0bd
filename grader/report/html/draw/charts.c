/* See charts.h. Drawings are 400 units wide, and as wide as the page lets them be. */
#include "grader/report/html/draw/charts.h"

enum { BINS_MAX = 12, WIDTH = 400, HEIGHT = 170, LEFT = 20, TOP = 30, FOOT = 126 };

struct bins {
    size_t n[BINS_MAX];
    unsigned n_bins, bin; /* bin: per cent of each */
    size_t largest;
};

static struct bins sort_in(const struct chart *chart, const struct insight_numbers *numbers) {
    struct bins bins = {.n_bins = chart->n_bins < BINS_MAX ? chart->n_bins : BINS_MAX};
    bins.bin = chart->bin;
    for (size_t i = 0; i < numbers->n; i++) {
        double at = numbers->items[i] * 100 / bins.bin + 1e-9;
        unsigned bin = at < 0 ? 0 : at < bins.n_bins ? (unsigned)at : bins.n_bins - 1;
        bins.n[bin]++;
    }
    for (unsigned i = 0; i < bins.n_bins; i++)
        bins.largest = bins.n[i] > bins.largest ? bins.n[i] : bins.largest;
    return bins;
}

size_t chart_most(const struct chart *chart, const struct insight_numbers *numbers) {
    return sort_in(chart, numbers).largest;
}

void chart_words(struct html *html, double x, double y, const char *anchor, const char *text) {
    html_open(html, "text", "text-anchor", anchor);
    html_attribute(html, "x", "%.1f", x);
    html_attribute(html, "y", "%.1f", y);
    html_text(html, "%s", text);
    html_close(html);
}

void chart_line(struct html *html, const char *class, double x, double y, double to_x,
                double to_y) {
    html_open(html, "path", "class", class);
    html_attribute(html, "d", "M%.1f %.1fL%.1f %.1f", x, y, to_x, to_y);
    html_close(html);
}

static void draw_bins(struct html *html, const struct bins *bins, size_t most, double step) {
    char text[24];
    for (unsigned i = 0; i < bins->n_bins; i++) {
        double x = LEFT + i * step;
        double height = most > 0 ? (double)(FOOT - TOP) * (double)bins->n[i] / (double)most : 0;
        if (bins->n[i] > 0) {
            html_open(html, "rect");
            html_attribute(html, "x", "%.1f", x + 1.5);
            html_attribute(html, "y", "%.1f", FOOT - height);
            html_attribute(html, "width", "%.1f", step - 3);
            html_attribute(html, "height", "%.1f", height);
            html_close(html);
            snprintf(text, sizeof text, "%zu", bins->n[i]);
            chart_words(html, x + step / 2, FOOT - height - 4, "middle", text);
        }
    }
    for (unsigned i = 0; i <= bins->n_bins; i++) {
        snprintf(text, sizeof text, "%u", i * bins->bin);
        chart_words(html, LEFT + i * step, FOOT + 16, "middle", text);
    }
}

static void draw(struct html *html, const struct chart *chart, const struct bins *bins) {
    double step = (double)(WIDTH - 2 * LEFT) / bins->n_bins;
    html_open(html, "svg", "role", "img");
    html_attribute(html, "viewBox", "0 0 %d %d", WIDTH, HEIGHT);
    html_attribute(html, "aria-label", "Histogram: %s, %s. The numbers are in the table below it.",
                   chart->title, chart->axis);
    draw_bins(html, bins, chart->most, step);
    chart_line(html, "axis", LEFT, FOOT, WIDTH - LEFT, FOOT);
    chart_words(html, WIDTH / 2.0, FOOT + 36, "middle", chart->axis);
    html_close(html);
}

static void table(struct html *html, const struct chart *chart, const struct bins *bins) {
    html_open(html, "details");
    html_item(html, "summary", NULL, "The numbers");
    html_open(html, "table");
    html_item(html, "caption", NULL, "%s", chart->title);
    html_headings(html, chart->axis, "#students");
    html_open(html, "tbody");
    for (unsigned i = 0; i < bins->n_bins; i++) {
        bool is_last = i + 1 == bins->n_bins;
        unsigned from = i * bins->bin, to = from + bins->bin;
        html_open(html, "tr");
        if (is_last && to == 100)
            html_item(html, "td", NULL, "%u to 100", from);
        else if (is_last)
            html_item(html, "td", NULL, "%u and more", from);
        else
            html_item(html, "td", NULL, "%u to under %u", from, to);
        html_item(html, "td", "number", "%zu", bins->n[i]);
        html_close(html);
    }
    html_close(html);
    html_close(html);
    html_close(html);
}

void chart_histogram(struct html *html, const struct chart *chart,
                     const struct insight_numbers *numbers) {
    struct bins bins = sort_in(chart, numbers);
    html_open(html, "figure");
    draw(html, chart, &bins);
    html_open(html, "figcaption");
    html_item(html, "strong", NULL, "%s", chart->title);
    html_text(html, ": %zu student%s, median %.0f %%, half of them from %.0f to %.0f %%",
              numbers->n, numbers->n == 1 ? "" : "s", 100 * insight_quantile(numbers, 0.5),
              100 * insight_quantile(numbers, 0.25), 100 * insight_quantile(numbers, 0.75));
    html_close(html);
    table(html, chart, &bins);
    html_close(html);
}

void chart_bar(struct html *html, size_t part, size_t whole) {
    html_open(html, "td", "class", "bar");
    html_open(html, "span");
    html_attribute(html, "style", "width:%.1f%%",
                   whole > 0 ? 100 * (double)part / (double)whole : 0.0);
    html_close(html);
    html_close(html);
}
