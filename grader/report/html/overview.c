/* What a class did: scores, bandwidth, mistakes, tests. */
#include <stdlib.h>
#include <string.h>

#include "grader/report/html/charts.h"
#include "grader/report/html/pieces.h"
#include "grader/grade/record.h"

/* Tests that are shown; few fail what more than these do. */
enum { TESTS_SHOWN = 40 };

void parts_section(const struct parts *parts, const char *id, const char *title) {
    html_open(parts->html, "section");
    html_attribute(parts->html, "id", "%s", id);
    html_item(parts->html, "h2", NULL, "%s", title);
}

void parts_table(const struct parts *parts, const char *id, const char *caption) {
    struct html *html = parts->html;
    html_open(html, "div");
    html_attribute(html, "class", "wide");
    html_attribute(html, "role", "region");
    html_attribute(html, "aria-label", "%s", caption);
    html_attribute(html, "tabindex", "0");
    html_open(html, "table");
    if (id)
        html_attribute(html, "id", "%s", id);
    html_item(html, "caption", NULL, "%s", caption);
}

void parts_end_table(const struct parts *parts) {
    html_close(parts->html);
    html_close(parts->html);
}

static void points_cell(struct html *html, points_t points) {
    char *text = points_text(points);
    html_item(html, "td", "number", "%s", text);
    free(text);
}

static void headings(struct html *html, const char *const *texts, const char *const *numbers) {
    html_open(html, "thead");
    html_open(html, "tr");
    for (; *texts; texts++)
        html_heading(html, NULL, *texts);
    for (; *numbers; numbers++)
        html_heading(html, "number", *numbers);
    html_close(html);
    html_close(html);
}

void parts_labs(const struct parts *parts) {
    static const char *const texts[] = {"Lab", NULL};
    static const char *const numbers[] = {"Passed", "Not passed", "Not handed in", "Not graded",
                                          "Points", "Mean",       "Median",        NULL};
    struct html *html = parts->html;
    parts_section(parts, "labs", "Labs");
    parts_table(parts, NULL, "How many passed each lab, and what they got");
    headings(html, texts, numbers);
    html_open(html, "tbody");
    for (size_t i = 0; i < parts->insight->n_labs; i++) {
        const struct insight_lab *lab = &parts->insight->labs[i];
        html_open(html, "tr");
        html_open(html, "th");
        html_attribute(html, "scope", "row");
        html_text(html, "%.2s %s", lab->name, lab->title);
        html_close(html);
        html_item(html, "td", "number", "%zu", lab->n_passed);
        html_item(html, "td", "number", "%zu", lab->n_wrong);
        html_item(html, "td", "number", "%zu", lab->n_missing);
        html_item(html, "td", "number", "%zu", lab->n_ungraded);
        points_cell(html, lab->max_points);
        html_item(html, "td", "number", "%.0f %%", 100 * insight_mean(&lab->shares));
        html_item(html, "td", "number", "%.0f %%", 100 * insight_quantile(&lab->shares, 0.5));
        html_close(html);
    }
    html_close(html);
    parts_end_table(parts);
    html_item(html, "p", "note", "Mean and median are of those who handed something in.");
    html_close(html);
}

void parts_scores(const struct parts *parts) {
    struct chart chart = {
        .title = "All labs", .axis = "per cent of all points", .n_bins = 10, .bin = 10};
    parts_section(parts, "scores", "Scores");
    html_open(parts->html, "div");
    html_attribute(parts->html, "class", "charts");
    chart_histogram(parts->html, &chart, &parts->insight->shares);
    chart.axis = "per cent of the lab's points";
    for (size_t i = 0; i < parts->insight->n_labs && parts->insight->n_labs > 1; i++) {
        chart.title = parts->insight->labs[i].name;
        chart_histogram(parts->html, &chart, &parts->insight->labs[i].shares);
    }
    html_close(parts->html);
    html_item(parts->html, "p", "note",
              "The first counts what was not handed in as nothing; each lab's own has those who "
              "handed it in.");
    html_close(parts->html);
}

void parts_bandwidth(const struct parts *parts) {
    struct chart chart = {.n_bins = 12, .limit = 100};
    bool has_any = false;
    parts_section(parts, "bandwidth", "Bandwidth");
    html_open(parts->html, "div");
    html_attribute(parts->html, "class", "charts");
    for (size_t i = 0; i < parts->insight->n_labs; i++) {
        const struct insight_lab *lab = &parts->insight->labs[i];
        if (lab->speeds.n == 0)
            continue;
        chart.title = lab->name;
        chart.axis = lab->is_of_model ? "per cent of the model answer's speed"
                                      : "per cent of the GPU's own copy";
        chart.limit_label = lab->is_of_model ? "model answer" : "copy limit";
        chart_histogram(parts->html, &chart, &lab->speeds);
        has_any = true;
    }
    html_close(parts->html);
    html_item(parts->html, "p", "note", "%s",
              has_any
                  ? "Each student's code at the largest size that was measured, beside what the "
                    "device copies in the same run, or where it is not bytes that count, beside "
                    "the model answer. The axes differ."
                  : "There is none: bandwidth is measured on a GPU alone, and nothing of this "
                    "class was.");
    html_close(parts->html);
}

static void mistake_row(const struct parts *parts, const struct insight_mistake *mistake,
                        size_t most) {
    struct html *html = parts->html;
    html_open(html, "tr");
    html_item(html, "td", NULL, "%.2s", parts->insight->labs[mistake->lab].name);
    html_open(html, "th");
    html_attribute(html, "scope", "row");
    html_text(html, "%s", mistake->text);
    html_close(html);
    html_item(html, "td", "number", "%zu", mistake->n);
    chart_bar(html, mistake->n, most);
    html_open(html, "td");
    html_open(html, "details");
    html_item(html, "summary", NULL, "who");
    for (size_t i = 0; i < mistake->n; i++) {
        html_text(html, "%s", i > 0 ? ", " : "");
        parts_student(parts, mistake->students[i]);
    }
    html_close(html);
    html_close(html);
    html_close(html);
}

void parts_mistakes(const struct parts *parts) {
    static const char *const columns[] = {"Lab", "Mistake", "Students", "", "Who", NULL};
    const struct insight *insight = parts->insight;
    struct html *html = parts->html;
    parts_section(parts, "mistakes", "Known mistakes");
    if (insight->n_mistakes > 0) {
        parts_table(parts, "mistake-table", "How many students made which mistake");
        html_open(html, "thead");
        html_open(html, "tr");
        for (size_t i = 0; columns[i]; i++) {
            if (*columns[i])
                html_heading(html, i == 2 ? "number" : NULL, columns[i]);
            else
                html_item(html, "td", NULL, "%s", "");
        }
        html_close(html);
        html_close(html);
        html_open(html, "tbody");
        for (size_t i = 0; i < insight->n_mistakes; i++)
            mistake_row(parts, &insight->mistakes[i], insight->mistakes[0].n);
        html_close(html);
        parts_end_table(parts);
    }
    html_item(html, "p", "note", "%s",
              insight->n_mistakes > 0
                  ? "As each lab's diagnoses tell; who failed in a way that none of them knows is "
                    "not here."
                  : "Nobody made a mistake that the labs have a diagnosis for.");
    html_close(html);
}

static void test_row(const struct parts *parts, const struct insight_test *test) {
    struct html *html = parts->html;
    html_open(html, "tr");
    html_item(html, "td", NULL, "%.2s", parts->insight->labs[test->lab].name);
    html_open(html, "th");
    html_attribute(html, "scope", "row");
    html_item(html, "code", NULL, "%s", test->name);
    html_open(html, "br");
    html_close_void(html);
    html_item(html, "span", "note", "%s", test->claim);
    html_close(html);
    html_item(html, "td", "number", "%zu of %zu", test->n_failed, test->n_run);
    chart_bar(html, test->n_failed, test->n_run);
    html_close(html);
}

void parts_tests(const struct parts *parts) {
    const struct insight *insight = parts->insight;
    struct html *html = parts->html;
    parts_section(parts, "tests", "Tests that fail most");
    if (insight->n_tests > 0) {
        parts_table(parts, NULL, "How many failed which test, of those whose code it ran");
        html_open(html, "thead");
        html_open(html, "tr");
        html_heading(html, NULL, "Lab");
        html_heading(html, NULL, "Test");
        html_heading(html, "number", "Failed");
        html_item(html, "td", NULL, "%s", "");
        html_close(html);
        html_close(html);
        html_open(html, "tbody");
        for (size_t i = 0; i < insight->n_tests && i < TESTS_SHOWN; i++)
            test_row(parts, &insight->tests[i]);
        html_close(html);
        parts_end_table(parts);
    }
    if (insight->n_tests > TESTS_SHOWN)
        html_item(html, "p", "note", "%zu more tests fail for fewer.",
                  insight->n_tests - TESTS_SHOWN);
    else if (insight->n_tests == 0)
        html_item(html, "p", "note", "No test failed.");
    html_close(html);
}
