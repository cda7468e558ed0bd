/*
 * `hint LAB`. What was seen is kept in BUILD/state/hints.json:
 * {"01-name": {"written": 2, "todo": the TODO that these were about, "proven": 1, "cause": the
 * proven edit that these were about}}.
 */
#include "grader/cli/commands/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/cli/commands.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"
#include "grader/report/scoring/course.h"
#include "grader/report/text/failures.h"

/* What the course's file says, which is there. */
static enum grader_status read_limit(const struct workbook *book, const char *path,
                                     enum render_reveal *limit, struct diag *diag) {
    struct targets labs = {0};
    struct course *course = NULL;
    enum grader_status status = targets_own(book, NULL, &labs, diag);
    if (status == GRADER_OK) {
        course = course_load(path, &labs, diag);
        status = course ? GRADER_OK : GRADER_BAD_INPUT;
    }
    if (course) {
        *limit = (enum render_reveal)course->reveal;
        course_free(course);
    }
    targets_finish(&labs);
    return status;
}

enum grader_status hints_limit(const struct workbook *book, const char *course,
                               enum render_reveal *limit, struct diag *diag) {
    char *usual = text_format("%s/course.yaml", book->root);
    enum grader_status status = GRADER_OK;
    *limit = RENDER_EDIT;
    if (course || file_exists(usual))
        status = read_limit(book, course ? course : usual, limit, diag);
    free(usual);
    return status;
}

static bool is_open(const json_t *test) {
    const enum verdict_kind kind = verdict_of_test(record_text(test, "verdict"))->kind;
    return kind != VERDICT_GOOD && kind != VERDICT_NOTHING;
}

/* The first TODO of which a test is not passed; 0 where there is none. */
static unsigned first_open(const struct manifest *manifest, const json_t *record) {
    unsigned first = 0;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(record, "tests"), index, test) {
        unsigned todo = (unsigned)record_count(test, "todo");
        if (todo > 0 && (first == 0 || todo < first) && is_open(test))
            first = todo;
    }
    for (unsigned i = 0; i < manifest->n_tests && !record; i++) {
        unsigned todo = manifest->tests[i].todo;
        if (todo > 0 && (first == 0 || todo < first))
            first = todo;
    }
    return first;
}

struct hints hints_of(const struct target *target, const json_t *record, size_t failure,
                      enum render_reveal limit) {
    struct hints hints = {.lab = target->lab->name, .manifest = target->manifest};
    struct failures failures;
    hints.todo = first_open(target->manifest, record);
    if (!record)
        return hints;
    failures_init(&failures, record);
    if (failure < failures.n && record_count(failures.items[failure].test, "todo") > 0)
        hints.todo = (unsigned)record_count(failures.items[failure].test, "todo");
    /* The report says with which failure to begin. */
    const size_t about = failure == SIZE_MAX ? 0 : failure;
    if (about < failures.n && render_proven(failures.items[about].test))
        hints.test = failures.items[about].test;
    failures_finish(&failures);
    if (hints.test) {
        hints.record = record;
        hints.n_proven = (unsigned)limit - RENDER_LINE; /* the report has told the line */
    }
    return hints;
}

static unsigned count_of(const struct hints *hints) {
    return hints->n_proven + hints->manifest->n_hints;
}

/* What is remembered; an empty object where there is nothing, or the file is damaged. */
static json_t *load(const struct workbook *book) {
    OWNED char *path = text_format("%s/state/hints.json", book->build);
    json_t *state = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(state))
        return state;
    json_decref(state);
    return json_object();
}

/* How many hints were seen: of those that the author wrote, and of those about this cause. */
struct seen {
    unsigned written, proven;
};

static unsigned count_seen(const json_t *entry, const char *key, unsigned most) {
    json_int_t n = json_integer_value(json_object_get(entry, key));
    return n <= 0 ? 0 : n < most ? (unsigned)n : most;
}

static struct seen seen_of(const struct hints *hints, const json_t *state) {
    const json_t *entry = json_object_get(state, hints->lab);
    struct seen seen = {0};
    if (json_integer_value(json_object_get(entry, "todo")) == hints->todo)
        seen.written = count_seen(entry, "written", hints->manifest->n_hints);
    if (hints->test && json_equal(json_object_get(entry, "cause"), render_proven(hints->test)))
        seen.proven = count_seen(entry, "proven", hints->n_proven);
    return seen;
}

unsigned hints_next(const struct hints *hints, const struct workbook *book) {
    json_auto_t *state = load(book);
    struct seen seen = seen_of(hints, state);
    if (seen.proven < hints->n_proven)
        return seen.proven + 1;
    return hints->n_proven + seen.written + (seen.written < hints->manifest->n_hints);
}

enum grader_status hints_note(const struct hints *hints, const struct workbook *book,
                              unsigned number, struct diag *diag) {
    json_t *state = load(book);
    struct seen seen = seen_of(hints, state);
    if (number <= hints->n_proven)
        seen.proven = number > seen.proven ? number : seen.proven;
    else if (number - hints->n_proven > seen.written)
        seen.written = number - hints->n_proven;
    json_t *entry = json_object_get(state, hints->lab);
    if (!json_is_object(entry)) {
        entry = json_object();
        json_object_set_new(state, hints->lab, entry);
    }
    json_object_set_new(entry, "written", json_integer(seen.written));
    json_object_set_new(entry, "todo", json_integer(hints->todo));
    if (hints->test) {
        json_object_set_new(entry, "proven", json_integer(seen.proven));
        json_object_set(entry, "cause", (json_t *)render_proven(hints->test));
    }
    char *path = text_format("%s/state/hints.json", book->build);
    enum grader_status status = record_keep(path, state, diag);
    free(path);
    return status;
}

/* What a hint says of one TODO; all of it where it has no part for that, or `todo` is 0. The caller
 * frees it. */
static char *part_of(const char *text, unsigned todo) {
    size_t bytes;
    const char *part = todo ? manifest_hint_part(text, todo, &bytes) : NULL;
    return part ? text_format("%.*s", (int)bytes, part) : text_format("%s", text);
}

/* The hint's text, which the caller frees. */
static char *text_of(const struct hints *hints, unsigned number) {
    if (number > hints->n_proven)
        return part_of(hints->manifest->hints[number - hints->n_proven - 1], hints->todo);
    return render_proven_text((enum render_reveal)(RENDER_LINE + number), hints->record,
                              hints->test);
}

void hints_show(const struct hints *hints, struct render *render, unsigned number,
                const char *title) {
    char *text = text_of(hints, number);
    page_text(&render->page, 0, PAGE_STRONG, "Hint %u of %u%s%s", number, count_of(hints),
              title ? " · " : "", title ? title : "");
    if (number <= hints->n_proven)
        page_text(&render->page, 0, PAGE_FAINT, "%s", record_text(hints->test, "name"));
    page_text(&render->page, 0, PAGE_PLAIN, "%s", text);
    if (number <= hints->n_proven) {
        char *source = render->source_text;
        render->source_text = render_source_load(hints->record);
        render_proven_line(render, hints->record, hints->test);
        free(render->source_text);
        render->source_text = source;
    }
    free(text);
}

static void show_json(const struct hints *hints, unsigned number) {
    OWNED char *text = text_of(hints, number);
    record_print(json_pack("{s:s, s:i, s:i, s:s?, s:s}", "lab", hints->lab, "tier", (int)number,
                           "tiers", (int)count_of(hints), "test",
                           number <= hints->n_proven ? record_text(hints->test, "name") : NULL,
                           "text", text));
}

/* A hint, and how to get another one. */
static void show(const struct options *options, const struct hints *hints, unsigned number,
                 bool is_outdated) {
    struct render render = {0};
    const bool is_last = number == count_of(hints);
    page_init(&render.page, stdout, options->colour);
    hints_show(hints, &render, number, hints->manifest->title);
    page_blank(&render.page);
    if (is_outdated)
        page_text(&render.page, 0, PAGE_FAINT,
                  "The last check found what mends the file, which was changed since: check it "
                  "again for hints about that.");
    if (is_last)
        page_text(&render.page, 0, PAGE_FAINT, "That is the last one.");
    char *command = text_format("./warpbook hint %.2s%s", hints->lab, is_last ? " --tier 1" : "");
    page_command(&render.page, 0, is_last ? "the first" : "one more", command);
    free(command);
}

/* Chooses the hint, shows it, and remembers that it was seen. */
static int give(const struct options *options, const struct workbook *book,
                const struct target *target, const json_t *record, enum render_reveal limit,
                bool is_current) {
    struct hints hints = hints_of(target, is_current ? record : NULL, SIZE_MAX, limit);
    struct hints old = hints_of(target, record, SIZE_MAX, limit);
    hints.todo = old.todo;
    unsigned number = options->tier > 0 ? (unsigned)options->tier : hints_next(&hints, book);
    struct diag diag;
    if (number > count_of(&hints)) {
        diag_set(&diag, NULL, 0, "lab %.2s has %u hints, and no hint %u", hints.lab,
                 count_of(&hints), number);
        return session_fail(GRADER_BAD_INPUT, &diag);
    }
    if (options->is_json)
        show_json(&hints, number);
    else
        show(options, &hints, number, old.test && !is_current);
    fflush(stdout);
    enum grader_status status = hints_note(&hints, book, number, &diag);
    return status == GRADER_OK ? GRADER_OK : session_fail(GRADER_FAILED, &diag);
}

static int hint(const struct options *options, const struct workbook *book,
                const struct targets *targets) {
    const struct target *target = &targets->items[0];
    enum render_reveal limit;
    struct diag diag;
    bool is_current = false;
    if (!target->manifest)
        return session_fail(GRADER_FAILED, &target->diag);
    enum grader_status status = hints_limit(book, options->course, &limit, &diag);
    if (status != GRADER_OK)
        return session_fail(status, &diag);
    json_t *record = progress_last(book, target, &is_current);
    int code = give(options, book, target, record, limit, is_current);
    json_decref(record);
    return code;
}

int command_hint(const struct options *options) {
    return run_with_targets(options, options->argument, hint);
}
