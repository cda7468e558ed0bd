/* Renders the report's part on one failed test into a string, adds hints, and folds the tests that
 * students must not see into one. */
#include "grader/report/scoring/feedback.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/failures.h"
#include "grader/report/text/render.h"

enum {
    COLUMNS = 90,
    TEACHERS_COLUMNS = 400, /* where a page wraps lines itself */
    PIECES_COLUMNS = 72,    /* of numbers: few, for telephones */
};

/* The command by which a student sees the same on their own machine: the record's, for the file
 * of their own. */
static void add_command(const struct page *page, const json_t *lab, const json_t *record) {
    static const char option[] = " --test ";
    const char *selected = NULL;
    const char *next = strstr(record_text(record, "reproduce"), option);
    for (; next; next = strstr(next + 1, option)) /* a path may have the same words */
        selected = next;
    if (!selected || !json_is_object(json_object_get(record, "case")))
        return;
    OWNED char *command =
        text_format("./warpbook check %.2s%s", record_text(lab, "name"), selected);
    page_command(page, 2, "run again", command);
}

static void add_mismatch(const json_t *record, struct scored_test *test) {
    const json_t *mismatch = json_object_get(record, "mismatch");
    if (!json_is_object(mismatch))
        return;
    const char *got = json_string_value(json_object_get(mismatch, "got"));
    test->expected = text_format("%s", record_text(mismatch, "expected"));
    test->actual = text_format("%s", got ? got : "nothing");
}

/* The line of the first finding in the graded file. */
static unsigned line_of(const json_t *lab, const json_t *record) {
    size_t index;
    json_t *finding;
    json_array_foreach(json_object_get(record, "findings"), index, finding) {
        const json_t *here = json_object_get(finding, "here");
        if (render_source_is_own(lab, record_text(here, "file")))
            return (unsigned)record_count(here, "line");
    }
    return 0;
}

static void tell(struct render *render, const json_t *lab, const json_t *record) {
    render_failure(render, lab, record);
    if (!(render->hidden & RENDER_CASE))
        add_command(&render->page, lab, record);
}

void feedback_test(const struct scoring *scoring, const json_t *lab, const json_t *record,
                   struct scored_test *test) {
    unsigned hidden = scoring->is_for_teachers ? 0 : scoring->course->hidden;
    unsigned columns = scoring->is_for_teachers ? TEACHERS_COLUMNS : COLUMNS;
    size_t bytes;
    if (test->outcome == SCORED_PASSED || test->outcome == SCORED_SKIPPED || test->is_waiting) {
        test->message =
            text_format("%s", test->outcome == SCORED_PASSED ? "" : record_text(record, "reason"));
        return;
    }
    struct render render = {
        .hidden = hidden | RENDER_COMMAND,
        .reveal =
            scoring->is_for_teachers ? RENDER_EDIT : (enum render_reveal)scoring->course->reveal,
        .page = {.out = open_memstream(&test->message, &bytes), .width = columns},
        .source_text = hidden & RENDER_FINDINGS ? NULL : render_source_load(lab),
    };
    if (!render.page.out)
        abort();
    json_auto_t *shown = json_copy((json_t *)lab); /* shallow; students need no path of here */
    json_object_set_new(shown, "source", json_string(file_base(record_text(lab, "source"))));
    tell(&render, shown, record);
    if (fclose(render.page.out) != 0)
        abort();
    render.page = pieces_page(&test->pieces, PIECES_COLUMNS);
    tell(&render, shown, record);
    if (!(hidden & RENDER_CASE))
        add_mismatch(record, test);
    if (!(hidden & RENDER_FINDINGS))
        test->line = line_of(lab, record);
    free(render.source_text);
}

/* Where no file was compiled there are no messages. */
void feedback_lab(const json_t *lab, struct scored_test *test) {
    const char *reason = record_text(lab, "reason");
    const char *messages = record_text(json_object_get(lab, "compile"), "messages");
    char *meaning = NULL;
    size_t bytes;
    struct render render = {.page = {.out = open_memstream(&meaning, &bytes), .width = COLUMNS}};
    if (!render.page.out)
        abort();
    render_compiler(&render, messages);
    if (fclose(render.page.out) != 0)
        abort();
    test->message =
        text_format("%s%s%s%s", reason, *reason && *messages ? "\n" : "", messages, meaning);
    free(meaning);
    if (*reason)
        pieces_add(&test->pieces, PIECE_TEXT, "", reason);
    if (*messages)
        pieces_add(&test->pieces, PIECE_LINES, "", messages);
    render.page = pieces_page(&test->pieces, COLUMNS);
    render_compiler(&render, messages);
}

char *feedback_hints(const struct scoring *scoring, const struct scored_lab *lab) {
    char *text = text_format("%s", "");
    bool has_failed = lab->outcome == SCORED_WRONG || lab->outcome == SCORED_BROKEN;
    if (!has_failed || !lab->has_tests)
        return text;
    for (size_t i = 0; i < scoring->labs->n; i++) {
        const struct target *target = &scoring->labs->items[i];
        if (!target->manifest || strcmp(target->lab->name, lab->name) != 0)
            continue;
        unsigned n = target->manifest->n_hints;
        for (unsigned k = 0; k < n && k < scoring->course->hints; k++)
            text_add(&text, "%sHint %u: %s", k ? "\n" : "", k + 1, target->manifest->hints[k]);
    }
    return text;
}

static bool is_visible(const struct scoring *scoring, const struct course_lab *own,
                       const struct scored_test *test) {
    time_t due = course_due(own);
    return test->show == COURSE_VISIBLE ||
           (test->show == COURSE_AFTER_DUE_DATE && due > 0 && scoring->now > due);
}

void feedback_fold(const struct scoring *scoring, const struct course_lab *own,
                   struct scored_lab *lab) {
    struct scored_test folded = {0};
    size_t n = 0, n_kept = 0;
    bool are_passed = true;
    for (size_t i = 0; i < lab->n_tests; i++) {
        struct scored_test *test = &lab->tests[i];
        if (is_visible(scoring, own, test)) {
            lab->tests[n_kept++] = *test;
            continue;
        }
        n++;
        are_passed &= test->outcome == SCORED_PASSED || test->outcome == SCORED_SKIPPED;
        folded.points += test->points;
        folded.max_points += test->max_points;
        folded.seconds += test->seconds;
        scored_free_test(test);
    }
    if (n == 0)
        return;
    folded.outcome = !lab->is_graded ? SCORED_OURS : are_passed ? SCORED_PASSED : SCORED_WRONG;
    folded.name = text_format("%s", "hidden");
    folded.claim =
        text_format("%zu test%s that %s not shown", n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
    folded.verdict = text_format("%s", !lab->is_graded ? "grader failed"
                                       : are_passed    ? "passed"
                                                       : "not passed");
    folded.message = text_format("%s", "");
    lab->tests[n_kept] = folded; /* in place of the first that went */
    lab->n_tests = n_kept + 1;
}

static struct scored_test *own_test(const struct scored_lab *lab, const json_t *test) {
    return find_in_list(record_text(test, "name"), lab->tests, lab->n_tests, sizeof *lab->tests);
}

/* The record with the tests that are left, without what the course hides of their causes. */
static json_t *record_of_shown(const struct scoring *scoring, const json_t *record,
                               const struct scored_lab *lab) {
    bool is_hidden = !scoring->is_for_teachers && (scoring->course->hidden & RENDER_DIAGNOSIS);
    json_t *tests = json_array(), *test;
    size_t index;
    json_array_foreach(json_object_get(record, "tests"), index, test) {
        if (!own_test(lab, test))
            continue;
        json_t *shown = json_copy(test); /* shallow */
        if (is_hidden) {
            json_object_del(shown, "diagnosis");
            json_object_del(shown, "experiment");
        }
        json_array_append_new(tests, shown);
    }
    return json_pack("{s:o}", "tests", tests);
}

/* Gives the tests that failed by one cause its number. */
static void join(const struct failure *failure, const json_t *tests, size_t number,
                 struct scored_lab *lab) {
    size_t index;
    json_t *test;
    json_array_foreach(tests, index, test) {
        struct scored_test *own = own_test(lab, test);
        bool is_elsewhere = false;
        if (own->cause > 0 || !failures_share(failure, test, &is_elsewhere))
            continue;
        own->cause = number;
        own->is_elsewhere = is_elsewhere;
    }
}

void feedback_causes(const struct scoring *scoring, const json_t *record, struct scored_lab *lab) {
    json_auto_t *shown = record_of_shown(scoring, record, lab);
    OWNED_BY(failures_finish) struct failures failures;
    failures_init(&failures, shown);
    for (size_t i = 0; i < failures.n; i++) {
        struct scored_test *own = own_test(lab, failures.items[i].test);
        own->cause = i + 1;
        own->tells = true;
    }
    for (size_t i = 0; i < failures.n; i++)
        join(&failures.items[i], failures.tests, i + 1, lab);
    lab->n_causes = failures.n;
    /* Likeness of sentences is no equality: one that is like another, but not like the one that
     * tells, stands for itself. */
    for (size_t i = 0; i < lab->n_tests && lab->has_tests; i++) {
        struct scored_test *test = &lab->tests[i];
        bool has_failed = test->outcome != SCORED_PASSED && test->outcome != SCORED_SKIPPED;
        if (!has_failed || test->cause > 0 || *test->message == '\0')
            continue;
        test->cause = ++lab->n_causes;
        test->tells = true;
    }
}
