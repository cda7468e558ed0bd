/* What a class did: scores, mistakes, tests, and files that are alike. */
#include <stdlib.h>
#include <string.h>

#include "grader/grade/record.h"
#include "grader/report/html/draw/charts.h"
#include "grader/report/html/page/sections.h"

/* Tests that are shown; few fail what more than these do. */
enum { TESTS_SHOWN = 40 };

void sections_begin(const struct sections *sections, const char *id, const char *title) {
    html_open(sections->html, "section", "id", id);
    html_item(sections->html, "h2", NULL, "%s", title);
}

void sections_table(const struct sections *sections, const char *id, const char *caption) {
    struct html *html = sections->html;
    html_open(html, "div", "class", "wide", "role", "region", "aria-label", caption, "tabindex",
              "0");
    html_open(html, "table");
    if (id)
        html_attribute(html, "id", "%s", id);
    html_open(html, "caption");
    html_item(html, "span", NULL, "%s", caption);
    html_close(html);
}

void sections_end_table(const struct sections *sections) {
    html_close(sections->html);
    html_close(sections->html);
}

void sections_labs(const struct sections *sections) {
    struct html *html = sections->html;
    sections_begin(sections, "labs", "Labs");
    sections_ends(sections);
    sections_table(sections, NULL, "How many passed each lab, and what they got");
    html_headings(html, "Lab", "#Passed", "#Not passed", "#Not handed in", "#Not graded", "#Points",
                  "#Mean", "#Median");
    html_open(html, "tbody");
    for (size_t i = 0; i < sections->insight->n_labs; i++) {
        const struct insight_lab *lab = &sections->insight->labs[i];
        html_open(html, "tr");
        html_row_heading(html, "%.2s %s", lab->name, lab->title);
        html_item(html, "td", "number", "%zu", lab->n_passed);
        html_item(html, "td", "number", "%zu", lab->n_wrong);
        html_item(html, "td", "number", "%zu", lab->n_missing);
        html_item(html, "td", "number", "%zu", lab->n_ungraded);
        sections_points(html, true, lab->max_points, "");
        html_item(html, "td", "number", "%.0f %%", 100 * insight_mean(&lab->shares));
        html_item(html, "td", "number", "%.0f %%", 100 * insight_quantile(&lab->shares, 0.5));
        html_close(html);
    }
    html_close(html);
    sections_end_table(sections);
    html_item(html, "p", "note", "Mean and median are of those who handed something in.");
    sections_predictions(sections);
    html_close(html);
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

void sections_scores(const struct sections *sections) {
    struct chart chart = {
        .title = "All labs", .axis = "per cent of all points", .n_bins = 10, .bin = 10};
    const struct insight *insight = sections->insight;
    chart.most = chart_most(&chart, &insight->shares);
    for (size_t i = 0; i < insight->n_labs && insight->n_labs > 1; i++)
        chart.most = larger(chart.most, chart_most(&chart, &insight->labs[i].shares));
    sections_begin(sections, "scores", "Scores");
    html_open(sections->html, "div", "class", "charts");
    chart_histogram(sections->html, &chart, &insight->shares);
    chart.axis = "per cent of the lab's points";
    for (size_t i = 0; i < insight->n_labs && insight->n_labs > 1; i++) {
        chart.title = insight->labs[i].name;
        chart_histogram(sections->html, &chart, &insight->labs[i].shares);
    }
    html_close(sections->html);
    html_item(sections->html, "p", "note",
              "The first counts what was not handed in as nothing; each lab's own has those who "
              "handed it in. Bars of one height are as many students in all of them.");
    html_close(sections->html);
}

static void mistake_row(const struct sections *sections, const struct insight_mistake *mistake,
                        size_t most) {
    struct html *html = sections->html;
    html_open(html, "tr");
    html_item(html, "td", NULL, "%.2s", sections->insight->labs[mistake->lab].name);
    html_row_heading(html, "%s", mistake->text);
    html_item(html, "td", "number", "%zu", mistake->n);
    chart_bar(html, mistake->n, most);
    html_open(html, "td");
    html_open(html, "details");
    html_item(html, "summary", NULL, "who");
    for (size_t i = 0; i < mistake->n; i++) {
        html_text(html, "%s", i > 0 ? ", " : "");
        sections_link(sections, mistake->students[i]);
    }
    html_close(html);
    html_close(html);
    html_close(html);
}

void sections_mistakes(const struct sections *sections) {
    const struct insight *insight = sections->insight;
    struct html *html = sections->html;
    sections_begin(sections, "mistakes", "Known mistakes");
    if (insight->n_mistakes > 0) {
        sections_table(sections, "mistake-table", "How many students made which mistake");
        html_headings(html, "Lab", "Mistake", "#Students", "", "Who");
        html_open(html, "tbody");
        for (size_t i = 0; i < insight->n_mistakes; i++)
            mistake_row(sections, &insight->mistakes[i], insight->mistakes[0].n);
        html_close(html);
        sections_end_table(sections);
    }
    html_item(html, "p", "note", "%s",
              insight->n_mistakes > 0
                  ? "As each lab's diagnoses tell; who failed in a way that none of them knows is "
                    "not here."
                  : "Nobody made a mistake that the labs have a diagnosis for.");
    html_close(html);
}

static void test_row(const struct sections *sections, const struct insight_test *test) {
    struct html *html = sections->html;
    html_open(html, "tr");
    html_item(html, "td", NULL, "%.2s", sections->insight->labs[test->lab].name);
    html_open(html, "th", "scope", "row");
    html_item(html, "code", NULL, "%s", test->name);
    html_open(html, "br");
    html_close_void(html);
    html_item(html, "span", "note", "%s", test->claim);
    html_close(html);
    html_item(html, "td", "number", "%zu of %zu", test->n_failed, test->n_run);
    chart_bar(html, test->n_failed, test->n_run);
    html_close(html);
}

void sections_tests(const struct sections *sections) {
    const struct insight *insight = sections->insight;
    struct html *html = sections->html;
    sections_begin(sections, "tests", "Tests that fail most");
    if (insight->n_tests > 0) {
        sections_table(sections, NULL,
                       "How many failed which test, of those whose code it ran; of tests that "
                       "failed by one cause, the one that tells of it");
        html_headings(html, "Lab", "Test", "#Failed", "");
        html_open(html, "tbody");
        for (size_t i = 0; i < insight->n_tests && i < TESTS_SHOWN; i++)
            test_row(sections, &insight->tests[i]);
        html_close(html);
        sections_end_table(sections);
    }
    if (insight->n_tests > TESTS_SHOWN)
        html_item(html, "p", "note", "%zu more tests fail for fewer.",
                  insight->n_tests - TESTS_SHOWN);
    else if (insight->n_tests == 0)
        html_item(html, "p", "note", "No test failed.");
    html_close(html);
}

/* The students of one side, by links; ids of nobody on the page as they are. */
static void names(const struct sections *sections, const json_t *side) {
    size_t index;
    json_t *id;
    json_array_foreach(json_object_get(side, "students"), index, id) {
        const char *text = json_string_value(id) ? json_string_value(id) : "";
        size_t student = 0;
        html_text(sections->html, "%s", index > 0 ? ", " : "");
        while (student < sections->n && strcmp(sections->students[student].id, text) != 0)
            student++;
        if (student < sections->n)
            sections_link(sections, student);
        else
            html_text(sections->html, "%s", text);
    }
    const char *known = json_string_value(json_object_get(side, "known"));
    if (known)
        html_text(sections->html, "%s (not of this class)", known);
}

static void quote(const struct sections *sections, const json_t *lines) {
    struct html *html = sections->html;
    html_open(html, "div");
    html_item(html, "span", "note", "lines %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT,
              record_count(lines, "first"), record_count(lines, "last"));
    html_item(html, "pre", NULL, "%s", record_text(lines, "text"));
    html_close(html);
}

static void passages(const struct sections *sections, const json_t *list) {
    struct html *html = sections->html;
    size_t index;
    json_t *passage;
    if (json_array_size(list) == 0)
        return;
    html_open(html, "details");
    html_item(html, "summary", NULL, "%zu passage%s, side by side", json_array_size(list),
              json_array_size(list) == 1 ? "" : "s");
    json_array_foreach(list, index, passage) {
        html_open(html, "div", "class", "sides");
        quote(sections, json_object_get(passage, "one"));
        quote(sections, json_object_get(passage, "other"));
        html_close(html);
    }
    html_close(html);
}

static void entry(const struct sections *sections, const json_t *alike) {
    struct html *html = sections->html;
    const json_t *one = json_object_get(alike, "one"), *other = json_object_get(alike, "other");
    const char *how = record_text(alike, "how");
    html_open(html, "li");
    html_item(html, "strong", NULL, "Lab %.2s: ", record_text(alike, "lab"));
    names(sections, one);
    if (strcmp(how, "file") == 0 && !json_is_object(other)) {
        html_text(html, " handed in the same file, byte for byte.");
    } else if (strcmp(how, "file") == 0) {
        html_text(html, " handed in what ");
        names(sections, other);
        html_text(html, " has handed in, byte for byte.");
    } else if (strcmp(how, "words") == 0) {
        html_text(html,
                  " handed in the model answer: comments and layout aside, %" JSON_INTEGER_FORMAT
                  " %% of the words are the same, in the same order.",
                  record_count(one, "percent"));
    } else {
        html_text(html, " and ");
        names(sections, other);
        html_text(html,
                  ". Names, comments, layout and order aside, %" JSON_INTEGER_FORMAT
                  " %% of what is the first one's own is in the other, and %" JSON_INTEGER_FORMAT
                  " %% the other way round%s; %" JSON_INTEGER_FORMAT " bits. ",
                  record_count(one, "percent"), record_count(other, "percent"),
                  strcmp(how, "comments") == 0 ? "; so are words of the comments" : "",
                  record_count(alike, "bits"));
    }
    passages(sections, json_object_get(alike, "passages"));
    html_close(html);
}

bool sections_has_alike(const struct sections *sections) {
    return sections->n > 1;
}

void sections_alike(const struct sections *sections) {
    const json_t *list = json_object_get(sections->head, "alike");
    struct html *html = sections->html;
    size_t index;
    json_t *alike;
    if (!sections_has_alike(sections))
        return;
    sections_begin(sections, "alike", "Files that are alike");
    html_item(
        html, "p", "note", "%s",
        json_array_size(list) > 0
            ? "More than the class is, leaving out the skeleton, known answers, and what many "
              "write. It is a reason to talk to them, no proof: short answers can meet by "
              "chance. Each bit halves how often that is to be expected."
        : list ? "No two files are more alike than the class is."
               : "They were not compared: that is done where all are graded at once, as a class.");
    if (json_array_size(list) > 0) {
        html_open(html, "ol");
        json_array_foreach(list, index, alike) entry(sections, alike);
        html_close(html);
    }
    html_close(html);
}
