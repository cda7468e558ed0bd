/*
 * Time lines of calls with several streams: a row for each engine, in which each piece of work has
 * the last digit of its number, from the first to the last piece of that engine.
 */
#include <string.h>

#include "common/base/owned.h"
#include "common/base/text.h"
#include "grader/report/text/render.h"

enum { N_ENGINES = 3, LABEL = 12, INDENT = 2, WIDEST = 72 };

static const struct engine {
    const char *word, *name;
} engines[N_ENGINES] = {
    {"copy_in", "copies in"}, {"kernel", "kernels"}, {"copy_out", "copies out"}};

/* A row of `width` columns, which stand for `ns`; returns for how long the engine is busy. */
static json_int_t draw(const json_t *timeline, const char *engine, json_int_t ns, size_t width,
                       char *row) {
    json_int_t busy = 0;
    size_t index, k = 0;
    json_t *piece;
    memset(row, ' ', width);
    json_array_foreach(timeline, index, piece) {
        json_int_t start = record_count(piece, "start_ns"), end = record_count(piece, "end_ns");
        if (strcmp(record_text(piece, "engine"), engine) != 0 || end > ns || start > end)
            continue;
        size_t first = (size_t)((double)start / (double)ns * (double)width);
        size_t last = (size_t)((double)end / (double)ns * (double)width);
        for (size_t at = first; at < width && (at < last || at == first); at++)
            row[at] = (char)('0' + k % 10);
        busy += end - start;
        k++;
    }
    row[width] = '\0';
    while (width > 0 && row[width - 1] == ' ')
        row[--width] = '\0';
    return busy;
}

static json_int_t length_of(const json_t *timeline) {
    json_int_t ns = 0;
    size_t index;
    json_t *piece;
    json_array_foreach(timeline, index, piece) {
        json_int_t end = record_count(piece, "end_ns");
        ns = end > ns ? end : ns;
    }
    return ns;
}

static void one(const struct render *render, const json_t *test) {
    const json_t *timeline = json_object_get(test, "timeline");
    const json_int_t ns = length_of(timeline);
    const size_t room = render->page.width - INDENT - LABEL;
    const size_t width = room < WIDEST ? room : WIDEST;
    char rows[N_ENGINES][WIDEST + 1];
    json_int_t longest = 0;
    if (ns == 0)
        return;
    for (size_t i = 0; i < N_ENGINES; i++) {
        json_int_t busy = draw(timeline, engines[i].word, ns, width, rows[i]);
        longest = busy > longest ? busy : longest;
    }
    OWNED char *all = render_count(ns);
    page_text(&render->page, INDENT, PAGE_PLAIN,
              "%s: %s ns, of which the busiest engine works for %d\u00a0%%",
              record_text(test, "name"), all, (int)(100 * longest / ns));
    for (size_t i = 0; i < N_ENGINES; i++) {
        OWNED char *name = text_format("%-*s", LABEL, engines[i].name);
        page_verbatim(&render->page, INDENT, name, PAGE_BAR, rows[i], strlen(rows[i]));
    }
}

void render_timelines(const struct render *render, const json_t *lab) {
    bool is_first = true;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        if (json_array_size(json_object_get(test, "timeline")) == 0)
            continue;
        if (is_first)
            render_heading(render, "time lines, on the simulator's engines");
        is_first = false;
        one(render, test);
    }
}
