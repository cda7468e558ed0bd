/* See dots.h. Drawings are 400 units wide, and as wide as the page lets them be. */
#include "grader/report/html/draw/dots.h"

#include <string.h>

#include "common/base/text.h"
#include "grader/report/html/draw/charts.h"

enum {
    WIDTH = 400,
    SIDE = 16,
    HEAD = 22,  /* for what the dashed line is */
    LINE = 62,  /* a test: its name, and below it dots on a base */
    BASE = 48,  /* below a line's top */
    ROOM = 26,  /* for dots above the base */
    FOOT = 44,  /* for the axis */
    CELL = 6,   /* dots that are nearer than this are above each other */
    PARTS = 8,  /* that an axis has at the most */
    MARGIN = 2, /* per cent beyond the fastest */
};

void dots_fit(struct dots_axis *axis, const struct speeds *speeds) {
    static const unsigned sizes[] = {5, 10, 20, 50, 100, 200, 500, 1000, 10000};
    double most = axis->n > 0 ? axis->n * axis->step : 100 + MARGIN;
    for (size_t i = 0; i < speeds->n; i++) {
        const struct speed_test *test = &speeds->tests[i];
        double fastest = 100 * test->list[test->n_students - 1].share + MARGIN;
        most = fastest > most ? fastest : most;
        most = 100 * test->model + MARGIN > most ? 100 * test->model + MARGIN : most;
        most = 100 * test->asked + MARGIN > most ? 100 * test->asked + MARGIN : most;
    }
    size_t i = 0;
    while (i + 1 < sizeof sizes / sizeof *sizes && most > sizes[i] * PARTS)
        i++;
    axis->step = sizes[i];
    axis->n = 1;
    while (axis->n < PARTS && axis->n * axis->step < most)
        axis->n++;
}

/* Where a share is; what is beyond the axis is at its end. */
static double place(const struct dots_axis *axis, double share) {
    double part = 100 * share / (axis->n * axis->step);
    return SIDE + (WIDTH - 2 * SIDE) * (part > 1 ? 1 : part);
}

/* A dot a student: `title` is what a pointer on it shows. */
static void dot(struct html *html, double x, double y, const char *id, double share) {
    html_open(html, "path", "class", "dot");
    html_attribute(html, "d", "M%.1f %.1fh0", x, y);
    html_item(html, "title", NULL, "%s: %.0f %%", id, 100 * share);
    html_close(html);
}

/* Those who would cover each other are above each other, as close as the room wants it. */
static void draw_dots(struct html *html, const struct dots_axis *axis,
                      const struct speed_test *test, double base,
                      const struct scored_student *students) {
    size_t n_cell[WIDTH / CELL + 1] = {0}, n_drawn[WIDTH / CELL + 1] = {0}, most = 1;
    for (size_t i = 0; i < test->n_students; i++) {
        size_t *n = &n_cell[(size_t)place(axis, test->list[i].share) / CELL];
        most = ++*n > most ? *n : most;
    }
    double step = most > 1 ? (double)(ROOM - CELL) / (double)(most - 1) : 0;
    step = step > CELL ? CELL : step;
    for (size_t i = 0; i < test->n_students; i++) {
        double x = place(axis, test->list[i].share);
        size_t level = n_drawn[(size_t)x / CELL]++;
        dot(html, x, base - 4 - step * (double)level, students[test->list[i].student].id,
            test->list[i].share);
    }
}

/* A diamond on a stem that stands on the base; a triangle that points at the base from below. */
static void draw_marks(struct html *html, const struct dots_axis *axis,
                       const struct speed_test *test, double base) {
    if (test->model > 0) {
        double x = place(axis, test->model), top = base - ROOM - 2;
        html_open(html, "path", "class", "model");
        html_attribute(html, "d", "M%.1f %.1fl4 4l-4 4l-4 -4zV%.1f", x, top - 4, base);
        html_item(html, "title", NULL, "model answer: %.0f %%", 100 * test->model);
        html_close(html);
    }
    if (test->asked > 0) {
        double x = place(axis, test->asked);
        html_open(html, "path", "class", "asked");
        html_attribute(html, "d", "M%.1f %.1fl5 8h-10zV%.1f", x, base + 1, base - ROOM);
        html_item(html, "title", NULL, "asked for: %.0f %%", 100 * test->asked);
        html_close(html);
    }
}

/* "speed.at_2_28" without its tier. */
static const char *short_name(const char *name) {
    const char *point = strchr(name, '.');
    return point ? point + 1 : name;
}

static void draw_axis(struct html *html, const struct dots_axis *axis, double foot) {
    char text[24];
    double x = place(axis, 1);
    chart_line(html, "limit", x, HEAD - 6, x, foot);
    chart_words(html, x, HEAD - 10, x > WIDTH * 0.8 ? "end" : "middle", axis->line);
    chart_line(html, "axis", SIDE, foot, WIDTH - SIDE, foot);
    for (unsigned i = 0; i <= axis->n; i++) {
        snprintf(text, sizeof text, "%u", i * axis->step);
        chart_words(html, place(axis, i * axis->step / 100.0), foot + 16, "middle", text);
    }
    chart_words(html, WIDTH / 2.0, foot + 34, "middle", axis->name);
}

void dots_draw(struct html *html, const struct dots_axis *axis, const char *lab,
               const struct speeds *speeds, const struct scored_student *students) {
    double foot = HEAD + LINE * (double)speeds->n;
    html_open(html, "svg", "role", "img");
    html_attribute(html, "viewBox", "0 0 %d %.0f", WIDTH, foot + FOOT);
    html_attribute(html, "aria-label",
                   "A dot for each student: %s, %s. The numbers are in the table below it.", lab,
                   axis->name);
    draw_axis(html, axis, foot);
    for (size_t i = 0; i < speeds->n; i++) {
        const struct speed_test *test = &speeds->tests[i];
        double top = HEAD + LINE * (double)i;
        OWNED char *median = text_format("median %.0f %%", 100 * speeds_median(test));
        chart_words(html, SIDE, top + 12, "start", short_name(test->name));
        chart_words(html, WIDTH - SIDE, top + 12, "end", median);
        chart_line(html, "base", SIDE, top + BASE, WIDTH - SIDE, top + BASE);
        draw_dots(html, axis, test, top + BASE, students);
        draw_marks(html, axis, test, top + BASE);
    }
    html_close(html);
}
