/* `next`: where the next lab that is not solved lies, and what it is about. */
#include "grader/cli/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/file.h"
#include "grader/cli/next.h"
#include "grader/grade/progress.h"
#include "grader/grade/session.h"
#include "common/base/text.h"

void next_show_end(const struct page *page, size_t n_labs) {
    page_text(page, 0, PAGE_GOOD, "All %zu labs are solved. That was the last one: well done.",
              n_labs);
    page_text(page, 0, PAGE_PLAIN,
              "Each handout ends with exercises beyond its lab (\"Go further\").");
}

static char *handout_of(const struct workbook *book, const struct workbook_lab *lab) {
    char *path = text_format("%s/handouts/%s.md", book->root, lab->name);
    char *shown = file_is_regular(path) ? file_display(path) : NULL;
    free(path);
    return shown;
}

static void show(const struct page *page, const struct workbook *book,
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
    char *script = text_format("exec %s \"$1\"", editor);
    fflush(stdout);
    execl("/bin/sh", "sh", "-c", script, "sh", path, (char *)NULL);
    free(script);
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
        json_t *next = target ? json_pack("{s:s, s:s, s:s}", "lab", target->lab->name, "title",
                                          target->manifest->title, "source", target->source)
                              : json_null();
        json_dumpf(next, stdout, JSON_INDENT(2) | JSON_ENCODE_ANY);
        putchar('\n');
        json_decref(next);
        return GRADER_OK;
    }
    page_init(&page, stdout, options->colour);
    if (!target)
        next_show_end(&page, targets->n);
    else
        show(&page, book, target);
    return target && options->is_edit ? edit(target->source) : GRADER_OK;
}

int command_next(const struct options *options) {
    struct workbook book;
    struct targets targets = {0};
    struct diag diag;
    enum grader_status status = workbook_init(&book, &diag);
    if (status == GRADER_OK)
        status = targets_own(&book, NULL, &targets, &diag);
    int code =
        status == GRADER_OK ? show_next(options, &book, &targets) : session_fail(status, &diag);
    targets_finish(&targets);
    workbook_finish(&book);
    return code;
}
