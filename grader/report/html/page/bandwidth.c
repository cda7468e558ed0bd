/* How fast the class's code is, lab by lab, beside what a GPU can do: drawn, and as a table. */
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/report/html/draw/dots.h"
#include "grader/report/html/page/sections.h"

static void share(struct html *html, double share) {
    if (share > 0)
        html_item(html, "td", "number", "%.0f %%", 100 * share);
    else
        html_item(html, "td", "number", "–");
}

static bool has_any(const struct speeds *speeds, size_t student) {
    for (size_t i = 0; i < speeds->n; i++) {
        if (speeds_of(&speeds->tests[i], student) > 0)
            return true;
    }
    return false;
}

static double model_of(const struct speed_test *test) {
    return test->model;
}

static double asked_of(const struct speed_test *test) {
    return test->asked;
}

/* What all are beside, where that is known of any test. */
static void row_of_all(struct html *html, const char *heading, const struct speeds *speeds,
                       double of(const struct speed_test *test)) {
    bool is_known = false;
    for (size_t i = 0; i < speeds->n; i++)
        is_known |= of(&speeds->tests[i]) > 0;
    if (!is_known)
        return;
    html_open(html, "tr");
    html_row_heading(html, "%s", heading);
    for (size_t i = 0; i < speeds->n; i++)
        share(html, of(&speeds->tests[i]));
    html_close(html);
}

static void rows(const struct sections *sections, const struct speeds *speeds) {
    struct html *html = sections->html;
    row_of_all(html, "model answer", speeds, model_of);
    row_of_all(html, "asked for", speeds, asked_of);
    for (size_t i = 0; i < sections->n; i++) {
        if (!has_any(speeds, i))
            continue;
        html_open(html, "tr");
        html_open(html, "th", "scope", "row");
        sections_link(sections, i);
        html_close(html);
        for (size_t k = 0; k < speeds->n; k++)
            share(html, speeds_of(&speeds->tests[k], i));
        html_close(html);
    }
}

static void table(const struct sections *sections, const struct dots_axis *axis,
                  const struct insight_lab *lab, const struct speeds *speeds) {
    struct html *html = sections->html;
    OWNED char *caption = text_format("%s: %s", lab->name, axis->name);
    html_open(html, "details");
    html_item(html, "summary", NULL, "The numbers");
    sections_table(sections, NULL, caption);
    html_open(html, "thead");
    html_open(html, "tr");
    html_heading(html, "Student");
    for (size_t i = 0; i < speeds->n; i++) {
        const char *point = strchr(speeds->tests[i].name, '.');
        OWNED char *heading = text_format("#%s", point ? point + 1 : speeds->tests[i].name);
        html_heading(html, heading);
    }
    html_close(html);
    html_close(html);
    html_open(html, "tbody");
    rows(sections, speeds);
    html_close(html);
    sections_end_table(sections);
    html_close(html);
}

static void figure(const struct sections *sections, const struct dots_axis *axis,
                   const struct insight_lab *lab, const struct speeds *speeds) {
    struct html *html = sections->html;
    html_open(html, "figure");
    dots_draw(html, axis, lab->name, speeds, sections->students);
    html_open(html, "figcaption");
    html_item(html, "strong", NULL, "%s", lab->name);
    html_close(html);
    table(sections, axis, lab, speeds);
    html_close(html);
}

/* All labs that are beside the same thing; how many have times. */
static size_t figures(const struct sections *sections, bool is_of_model) {
    struct dots_axis axis = {
        .name =
            is_of_model ? "per cent of the model answer's speed" : "per cent of the GPU's own copy",
        .line = is_of_model ? "model answer" : "copy",
    };
    const struct insight *insight = sections->insight;
    struct speeds *speeds = make_zeroed(insight->n_labs, sizeof *speeds);
    size_t n = 0;
    for (size_t i = 0; i < insight->n_labs; i++) {
        speeds_make(&speeds[i], insight->labs[i].name, is_of_model, sections->students,
                    sections->n);
        if (speeds[i].n > 0)
            dots_fit(&axis, &speeds[i]);
    }
    for (size_t i = 0; i < insight->n_labs; i++) {
        n += speeds[i].n > 0 || speeds[i].n_alone > 0;
        if (speeds[i].n > 0)
            figure(sections, &axis, &insight->labs[i], &speeds[i]);
        else if (speeds[i].n_alone > 0)
            html_item(sections->html, "p", "note",
                      "%s: measured, but the model answer's speed on this GPU is not known.",
                      insight->labs[i].name);
        speeds_finish(&speeds[i]);
    }
    free(speeds);
    return n;
}

static void legend(struct html *html) {
    static const char *const marks[][3] = {
        {"key", "●", "a student's code"},
        {"", "┆", "the GPU's own copy in the same run, or the model answer"},
        {"", "◆", "the model answer beside the copy"},
        {"", "▲", "what the test asks for"},
    };
    html_open(html, "ul", "class", "legend");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        html_open(html, "li");
        html_open(html, "span", "class", marks[i][0]);
        html_text(html, "%s", marks[i][1]);
        html_close(html);
        html_text(html, " %s", marks[i][2]);
        html_close(html);
    }
    html_close(html);
}

void sections_bandwidth(const struct sections *sections) {
    struct html *html = sections->html;
    sections_begin(sections, "bandwidth", "Bandwidth");
    html_open(html, "div", "class", "charts");
    size_t n = figures(sections, false) + figures(sections, true);
    html_close(html);
    if (n > 0)
        legend(html);
    html_item(html, "p", "note", "%s",
              n > 0 ? "Each student's code at the largest size that was measured, beside what the "
                      "device copies in the same run, or where it is not bytes that count, beside "
                      "the model answer. Labs that are beside the same thing have the same axes. "
                      "A time that was too noisy, or of nothing that happened, is left out."
                    : "There is none: bandwidth is measured on a GPU alone, and nothing of this "
                      "class was.");
    html_close(html);
}
