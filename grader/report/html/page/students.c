/* The table of all students, and each one's report. */
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/html/draw/marks.h"
#include "grader/report/html/lab/causes.h"
#include "grader/report/html/lab/listing.h"
#include "grader/report/html/page/sections.h"
#include "grader/report/text/render.h"

void sections_link(const struct sections *sections, size_t student) {
    char target[32];
    snprintf(target, sizeof target, "s%zu", student + 1);
    html_link(sections->html, target, sections->students[student].id);
}

/* "ann", or "ann (Ann Lee)". */
static char *full_name(const struct scored_student *student) {
    bool is_one = !*student->name || strcmp(student->id, student->name) == 0;
    return is_one ? text_format("%s", student->id)
                  : text_format("%s (%s)", student->id, student->name);
}

void sections_points(struct html *html, bool is_known, points_t points, const char *more) {
    OWNED char *text = is_known ? points_text(points) : text_format("–");
    html_item(html, "td", "number", "%s%s", text, more);
}

/* A student's points of a lab, and how it ended. */
static void lab_cell(struct html *html, const struct scored_lab *lab) {
    enum state state = lab ? state_of_lab(lab) : STATE_MISSING;
    bool has_points = lab && lab->is_handed_in && lab->is_graded;
    OWNED char *points = points_text(has_points ? lab->points : 0);
    double share =
        has_points && lab->max_points > 0 ? (double)lab->points / (double)lab->max_points : 0;
    html_open(html, "td");
    html_attribute(html, "class", "number share %s", mark_class(state));
    html_attribute(html, "style", "--share:%.0f%%", 100 * share);
    html_attribute(html, "data-value", "%s", has_points ? points : "-1");
    mark_draw(html, state);
    html_text(html, "%s%s%s", has_points ? " " : "", has_points ? points : "",
              lab && lab->is_late ? " late" : "");
    html_close(html);
}

static void row(const struct sections *sections, size_t index, bool has_names) {
    const struct scored_student *student = &sections->students[index];
    struct html *html = sections->html;
    html_open(html, "tr");
    html_open(html, "th", "scope", "row");
    sections_link(sections, index);
    html_close(html);
    if (has_names)
        html_item(html, "td", "who", "%s", student->name);
    for (size_t i = 0; i < sections->insight->n_labs; i++) {
        const char *name = sections->insight->labs[i].name;
        lab_cell(html, scored_lab(student, name));
    }
    sections_points(html, student->is_graded, student->points, "");
    sections_points(
        html, student->is_graded,
        points_round(points_share(100 * POINTS_ONE, student->points, student->max_points),
                     POINTS_ONE),
        " %");
    html_close(html);
}

void sections_students(const struct sections *sections) {
    struct html *html = sections->html;
    bool has_names = false;
    for (size_t i = 0; i < sections->n; i++)
        has_names |= strcmp(sections->students[i].id, sections->students[i].name) != 0;
    sections_begin(sections, "students", "Students");
    mark_legend(html);
    sections_table(
        sections, "student-table",
        "Points of each student; the colour is as long as its share of the lab's points");
    html_open(html, "thead");
    html_open(html, "tr");
    html_heading(html, "Student");
    if (has_names)
        html_heading(html, "Name");
    for (size_t i = 0; i < sections->insight->n_labs; i++) {
        OWNED char *heading = text_format("#Lab %.2s", sections->insight->labs[i].name);
        html_heading(html, heading);
    }
    html_heading(html, "#Total");
    html_heading(html, "#Per cent");
    html_close(html);
    html_close(html);
    html_open(html, "tbody");
    for (size_t i = 0; i < sections->n; i++)
        row(sections, i, has_names);
    html_close(html);
    sections_end_table(sections);
    html_close(html);
}

/* "12 of 20 points". */
static char *points_of(bool is_graded, points_t points, points_t max_points) {
    OWNED char *got = points_text(points), *all = points_text(max_points);
    return is_graded ? text_format("%s of %s points", got, all) : text_format("not graded");
}

static void share_of(struct html *html, const json_t *share, const char *what) {
    if (json_number_value(share) > 0)
        html_text(html, ", %.0f %% of the %s", 100 * json_number_value(share), what);
}

static void measurement(struct html *html, const struct scored_test *test, const json_t *bench) {
    const char *unit = record_text(bench, "unit");
    OWNED char *size = render_size(record_count(bench, "n"));
    html_open(html, "li");
    html_text(html, "%s, n = %s: %.0f ", test->name, size,
              json_number_value(json_object_get(bench, "gbps")));
    if (strcmp(unit, "bytes") == 0)
        html_text(html, "GB/s");
    else
        html_text(html, "billion %s a second", unit);
    share_of(html, json_object_get(bench, "share_of_copy"), "copy");
    share_of(html, json_object_get(bench, "share_of_model"), "model answer");
    html_close(html);
}

static void measurements(struct html *html, const struct scored_lab *lab) {
    bool has_any = false;
    for (size_t i = 0; i < lab->n_tests; i++)
        has_any |= lab->tests[i].bench != NULL;
    if (!has_any)
        return;
    html_open(html, "ul");
    for (size_t i = 0; i < lab->n_tests; i++) {
        size_t index;
        json_t *bench;
        json_array_foreach(lab->tests[i].bench, index, bench)
            measurement(html, &lab->tests[i], bench);
    }
    html_close(html);
}

static void lab_report(const struct sections *sections, size_t student,
                       const struct scored_lab *lab) {
    struct html *html = sections->html;
    OWNED char *points = points_of(lab->is_graded, lab->points, lab->max_points);
    html_open(html, "h3", "class", mark_class(state_of_lab(lab)));
    mark_draw(html, state_of_lab(lab));
    html_text(html, " %.2s %s: %s, %s%s", lab->name, lab->title,
              lab->is_handed_in ? lab->verdict : "not handed in", points,
              lab->is_late ? ", late" : "");
    html_close(html);
    if (*lab->source)
        html_item(html, "p", "note", "%s", lab->source);
    if (lab->adjusted)
        html_item(html, "p", NULL, "%s", lab->adjusted);
    measurements(html, lab);
    sections_rank_of(sections, student, lab->name);
    causes_write(html, lab);
    sections_predictions_of(sections, lab);
    listing_write(html, lab);
}

static void report(const struct sections *sections, size_t index) {
    const struct scored_student *student = &sections->students[index];
    struct html *html = sections->html;
    OWNED char *name = full_name(student);
    OWNED char *points = points_of(student->is_graded, student->points, student->max_points);
    size_t note;
    json_t *text;
    html_open(html, "details", "class", "report");
    html_attribute(html, "id", "s%zu", index + 1);
    html_item(html, "summary", NULL, "%s: %s", name, points);
    json_array_foreach(student->doubts, note, text)
        html_item(html, "p", NULL, "%s", json_is_string(text) ? json_string_value(text) : "");
    json_array_foreach(student->notes, note, text)
        html_item(html, "p", NULL, "%s", json_is_string(text) ? json_string_value(text) : "");
    for (size_t i = 0; i < student->n_labs; i++)
        lab_report(sections, index, &student->labs[i]);
    html_close(html);
}

void sections_reports(const struct sections *sections) {
    sections_begin(sections, "reports", "Each student's report");
    for (size_t i = 0; i < sections->n; i++)
        report(sections, i);
    html_close(sections->html);
}
