/* `list`: the labs, their points, and where the student's file is. */
#include "grader/cli/commands.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "grader/workbook/manifest.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"
#include "grader/grade/session.h"
#include "grader/workbook/target.h"
#include "common/base/text.h"

/* How far the student is: for the record and for a person. */
static const char *const state_words[] = {
    [PROGRESS_NONE] = "new",
    [PROGRESS_OPEN] = "open",
    [PROGRESS_CHANGED] = "changed",
    [PROGRESS_SOLVED] = "solved",
};

/* What there is to say about a lab, or what is wrong with its manifest. */
static json_t *lab_entry(const struct workbook *book, const struct target *target) {
    const struct manifest *manifest = target->manifest;
    if (!manifest) {
        char *error =
            text_format("%s:%u: %s", target->diag.file, target->diag.line, target->diag.message);
        json_t *entry = json_pack("{s:s, s:s}", "name", target->lab->name, "error", error);
        free(error);
        return entry;
    }
    struct progress progress;
    progress_read(book, target, &progress);
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:i, s:i, s:s}", "name",
                     target->lab->name, "title", manifest->title, "summary", manifest->summary,
                     "source", target->source, "points", (int)manifest_points(manifest), "tests",
                     (int)manifest->n_tests, "hints", (int)manifest->n_hints, "state",
                     state_words[progress.state], "verdict", progress.verdict, "earned",
                     (int)progress.points, "of", (int)progress.max_points, "checked",
                     progress.checked);
}

/* "✓ solved", and its style. */
static struct page_span state_span(const json_t *lab) {
    const char *state = record_text(lab, "state");
    if (strcmp(state, "solved") == 0)
        return (struct page_span){PAGE_GOOD, "✓"};
    if (strcmp(state, "open") == 0 && strcmp(record_text(lab, "verdict"), "not_written") != 0)
        return (struct page_span){PAGE_BAD, "✗"};
    return (struct page_span){PAGE_WAITING, "○"};
}

/* "86 of 86 points", and what became of them; the caller frees it. */
static char *state_text(const json_t *lab) {
    const char *state = record_text(lab, "state");
    if (!*record_text(lab, "verdict") || strcmp(record_text(lab, "verdict"), "not_written") == 0)
        return text_format("%" JSON_INTEGER_FORMAT " points", record_count(lab, "points"));
    return text_format("%s%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " points",
                       strcmp(state, "changed") == 0 ? "changed since it passed, " : "",
                       record_count(lab, "earned"), record_count(lab, "of"));
}

static void show(const struct page *page, const json_t *labs) {
    size_t index;
    json_t *lab;
    json_array_foreach(labs, index, lab) {
        const char *error = record_text(lab, "error"), *name = record_text(lab, "name");
        char *number = text_format("%.2s  ", name);
        char *points = state_text(lab);
        struct page_span left[] = {
            state_span(lab),
            {PAGE_PLAIN, " "},
            {PAGE_FAINT, number},
            {PAGE_STRONG, *error ? name : record_text(lab, "title")},
        };
        page_row(page, 0, left, sizeof left / sizeof *left,
                 (struct page_span){PAGE_FAINT, *error ? "" : points});
        if (*error) {
            page_text(page, 6, PAGE_BAD, "%s", error);
        } else {
            page_text(page, 6, PAGE_PLAIN, "%s", record_text(lab, "summary"));
            page_text(page, 6, PAGE_FAINT, "%s", record_text(lab, "source"));
        }
        free(points);
        free(number);
    }
    page_blank(page);
    page_command(page, 0, "next", "./warpbook next");
}

int command_list(const struct options *options) {
    struct workbook book;
    struct targets targets = {0};
    struct diag diag;
    enum grader_status status = workbook_init(&book, &diag);
    if (status == GRADER_OK)
        status = targets_own(&book, NULL, &targets, &diag);
    int code = GRADER_OK;
    if (status != GRADER_OK) {
        code = session_fail(status, &diag);
    } else {
        json_t *labs = json_array();
        for (size_t i = 0; i < targets.n; i++) {
            json_array_append_new(labs, lab_entry(&book, &targets.items[i]));
            code = targets.items[i].manifest ? code : GRADER_FAILED;
        }
        if (options->is_json) {
            json_dumpf(labs, stdout, JSON_INDENT(2));
            putchar('\n');
        } else {
            struct page page;
            page_init(&page, stdout, options->colour);
            show(&page, labs);
        }
        json_decref(labs);
    }
    targets_finish(&targets);
    workbook_finish(&book);
    return code;
}
