/*
 * What a learner asks of the labs. `list`: the labs, their points, and where the student's file is.
 * `next`: where the next lab that is not solved lies, and what it is about.
 */
#include "grader/cli/commands.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"
#include "grader/session/session.h"
#include "grader/workbook/manifest.h"
#include "grader/workbook/target.h"
#include "grader/workbook/workbook.h"

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
        OWNED char *error =
            text_format("%s:%u: %s", target->diag.file, target->diag.line, target->diag.message);
        return json_pack("{s:s, s:s}", "name", target->lab->name, "error", error);
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
    json_int_t n_skipped = record_count(lab, "points") - record_count(lab, "of");
    if (!*record_text(lab, "verdict") || strcmp(record_text(lab, "verdict"), "not_written") == 0)
        return text_format("%" JSON_INTEGER_FORMAT " points", record_count(lab, "points"));
    OWNED char *skipped = n_skipped > 0
                              ? text_format(", %" JSON_INTEGER_FORMAT " skipped", n_skipped)
                              : text_format("%s", "");
    return text_format("%s%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " points%s",
                       strcmp(state, "changed") == 0 ? "changed since it passed, " : "",
                       record_count(lab, "earned"), record_count(lab, "of"), skipped);
}

static void show_list(const struct page *page, const json_t *labs) {
    size_t index, n_solved = 0;
    json_t *lab;
    json_array_foreach(labs, index, lab) {
        n_solved += strcmp(record_text(lab, "state"), "solved") == 0;
        const char *error = record_text(lab, "error"), *name = record_text(lab, "name");
        OWNED char *number = text_format("%.2s  ", name);
        OWNED char *points = state_text(lab);
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
    }
    page_blank(page);
    if (n_solved < index)
        page_command(page, 0, "next", "./warpbook next");
    else
        next_show_end(page, index);
}

static int list_labs(const struct options *options, const struct workbook *book,
                     const struct targets *targets) {
    int code = GRADER_OK;
    json_t *labs = json_array();
    for (size_t i = 0; i < targets->n; i++) {
        json_array_append_new(labs, lab_entry(book, &targets->items[i]));
        code = targets->items[i].manifest ? code : GRADER_FAILED;
    }
    if (options->is_json) {
        record_print(json_incref(labs));
    } else {
        struct page page;
        page_init(&page, stdout, options->colour);
        show_list(&page, labs);
    }
    json_decref(labs);
    return code;
}

int command_list(const struct options *options) {
    return run_with_targets(options, NULL, list_labs);
}

void next_show_end(const struct page *page, size_t n_labs) {
    page_text(page, 0, PAGE_GOOD, "All %zu labs are solved. That was the last one: well done.",
              n_labs);
    page_text(page, 0, PAGE_PLAIN,
              "Each handout ends with exercises beyond its lab (\"Go further\").");
}

static char *handout_of(const struct workbook *book, const struct workbook_lab *lab) {
    OWNED char *path = text_format("%s/handouts/%s.md", book->root, lab->name);
    return file_is_regular(path) ? file_display(path) : NULL;
}

static void show_target(const struct page *page, const struct workbook *book,
                        const struct target *target) {
    char *title = text_format("Lab %.2s · ", target->lab->name);
    char *handout = handout_of(book, target->lab);
    char *check = text_format("./warpbook check %.2s", target->lab->name);
    struct page_span head[] = {{PAGE_STRONG, title}, {PAGE_STRONG, target->manifest->title}};
    struct page_span file[] = {{PAGE_PLAIN, target->source}}, text[] = {{PAGE_PLAIN, handout}};
    page_spans(page, 0, 2, head, 2);
    page_text(page, 0, PAGE_PLAIN, "%s", target->manifest->summary);
    page_blank(page);
    if (handout)
        page_labelled(page, 0, "read", text, 1);
    page_labelled(page, 0, "write", file, 1);
    page_command(page, 0, "then", check);
    free(check);
    free(handout);
    free(title);
}

/* Replaces this program by the editor. Returns only where that fails. */
static int edit(const char *path) {
    const char *editor = getenv("VISUAL");
    struct diag diag;
    if (!editor || !*editor)
        editor = getenv("EDITOR");
    if (!editor || !*editor) {
        diag_set(&diag, NULL, 0, "--edit needs the name of an editor in EDITOR or VISUAL");
        return session_fail(GRADER_BAD_INPUT, &diag);
    }
    /* The variable may hold options; the path is an argument of its own. */
    OWNED char *script = text_format("exec %s \"$1\"", editor);
    fflush(stdout);
    execl("/bin/sh", "sh", "-c", script, "sh", path, (char *)NULL);
    diag_set(&diag, NULL, 0, "the editor '%s' cannot be started", editor);
    return session_fail(GRADER_FAILED, &diag);
}

static int show_next(const struct options *options, const struct workbook *book,
                     const struct targets *targets) {
    const struct target *target = progress_next(book, targets);
    struct page page;
    if (target && !target->manifest)
        return session_fail(GRADER_FAILED, &target->diag);
    if (options->is_json) {
        record_print(target ? json_pack("{s:s, s:s, s:s}", "lab", target->lab->name, "title",
                                        target->manifest->title, "source", target->source)
                            : json_null());
        return GRADER_OK;
    }
    page_init(&page, stdout, options->colour);
    if (!target)
        next_show_end(&page, targets->n);
    else
        show_target(&page, book, target);
    return target && options->is_edit ? edit(target->source) : GRADER_OK;
}

int command_next(const struct options *options) {
    return run_with_targets(options, NULL, show_next);
}
