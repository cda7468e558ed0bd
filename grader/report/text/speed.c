/* Bandwidth as bars: a full bar is what the device copies in the same time. */
#include "grader/report/text/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/grade/record.h"
#include "common/base/text.h"

enum { NARROW_BAR = 16, WIDE_BAR = 36, WIDE_PAGE = 90 };

char *render_size(json_int_t n) {
    int exponent = 0;
    while (exponent < 62 && ((json_int_t)1 << exponent) < n)
        exponent++;
    if (n > 1024 && ((json_int_t)1 << exponent) == n)
        return text_format("2^%d", exponent);
    return render_count(n);
}

/* A bar of `columns` columns, filled by eighths. */
static char *bar(double share, int columns) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double filled = share < 0 ? 0 : share > 1 ? 1 : share;
    int n = (int)lround(filled * columns * 8), used = (n + 7) / 8;
    char *text = text_format("%s", "");
    for (int i = 0; i < columns; i++) {
        const char *cell = i < n / 8 ? "█" : i < used ? eighths[n % 8] : "·";
        char *more = text_format("%s%s", text, cell);
        free(text);
        text = more;
    }
    return text;
}

/* Else it is a rate of evaluations, which no copy stands beside. */
static bool is_bandwidth(const json_t *bench) {
    return strcmp(record_text(bench, "unit"), "bytes") == 0;
}

/* The full bar: the device's copy, or its double-precision peak, each evaluation taken for one
 * multiply-add. */
static double share_of_bar(const json_t *bench) {
    double peak = json_number_value(json_object_get(bench, "peak_gbps"));
    if (is_bandwidth(bench))
        return json_number_value(json_object_get(bench, "share_of_copy"));
    return peak > 0 ? json_number_value(json_object_get(bench, "gbps")) / peak : 0;
}

static void bench_row(const struct render *render, const json_t *bench) {
    double share = share_of_bar(bench);
    const json_t *model = json_object_get(bench, "share_of_model");
    char *size = render_size(record_count(bench, "n"));
    char *cells = bar(share, render->page.width < WIDE_PAGE ? NARROW_BAR : WIDE_BAR);
    char *head = text_format("%-12s", size);
    char *speed = text_format(" %6.0f G%s/s", json_number_value(json_object_get(bench, "gbps")),
                              is_bandwidth(bench) ? "B" : "");
    char *shares = share > 0 ? text_format(" %5.0f %%", 100 * share) : text_format("       –");
    char *of_model = json_is_number(model)
                         ? text_format(" %5.0f %%", 100 * json_number_value(model))
                         : text_format("       –");
    struct page_span spans[] = {
        {PAGE_PLAIN, head},   {PAGE_BAR, cells},      {PAGE_STRONG, speed},
        {PAGE_PLAIN, shares}, {PAGE_PLAIN, of_model},
    };
    page_spans(&render->page, 2, 4, spans, sizeof spans / sizeof *spans);
    if (render->is_verbose)
        page_text(
            &render->page, 11, PAGE_FAINT,
            "median %.4g ms of %" JSON_INTEGER_FORMAT " runs, %.4g to %.4g ms, spread %.1f %%",
            json_number_value(json_object_get(bench, "median_ms")), record_count(bench, "samples"),
            json_number_value(json_object_get(bench, "min_ms")),
            json_number_value(json_object_get(bench, "max_ms")),
            100 * json_number_value(json_object_get(bench, "spread")));
    free(of_model);
    free(shares);
    free(speed);
    free(head);
    free(cells);
    free(size);
}

void render_speed(const struct render *render, const json_t *lab) {
    size_t index, k;
    json_t *test, *bench;
    bool has_any = false;
    const char *bar_is = "";
    json_array_foreach(json_object_get(lab, "tests"), index, test)
        json_array_foreach(json_object_get(test, "bench"), k, bench) {
        if (!has_any) {
            int columns = render->page.width < WIDE_PAGE ? NARROW_BAR : WIDE_BAR;
            render_heading(render, is_bandwidth(bench) ? "bandwidth" : "evaluations");
            page_text(&render->page, 2, PAGE_FAINT, "%-*s%12s %7s %7s", 12 + columns, "n", "",
                      is_bandwidth(bench) ? "of copy" : "of peak", "of model");
            bar_is = is_bandwidth(bench)
                         ? "A full bar is the device's own copy, measured in the same run."
                         : "A full bar is the device's peak of double-precision multiply-adds, of "
                           "which each evaluation takes several.";
        }
        has_any = true;
        bench_row(render, bench);
    }
    if (has_any)
        page_text(&render->page, 2, PAGE_FAINT, "Caches cold, median of fresh inputs. %s", bar_is);
}
