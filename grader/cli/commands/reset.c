/* `reset LAB`: the lab's file as it was before anybody worked on it; the work is kept. */
#include "grader/cli/commands.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/progress.h"
#include "grader/grade/record.h"
#include "grader/session/session.h"

/* ROOT/kept/01-name/20261121-093000-file.cu, with a number where there is one of this second. */
static char *kept_path(const struct workbook *book, const struct target *target) {
    char when[32];
    time_t now = time(NULL);
    struct tm local;
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &local));
    for (unsigned number = 0;; number++) {
        OWNED char *again = number > 0 ? text_format("-%u", number) : text_format("%s", "");
        char *path = text_format("%s/kept/%s/%s%s-%s", book->root, target->lab->name, when, again,
                                 target->manifest->source);
        if (!file_exists(path))
            return path;
        free(path);
    }
}

static void say(const struct options *options, const struct target *target, const char *kept,
                const char *origin) {
    char *shown = kept ? file_display(kept) : NULL, *from = file_display(origin);
    if (options->is_json) {
        record_print(json_pack("{s:s, s:s, s:s?, s:s}", "lab", target->lab->name, "source",
                               target->source, "kept", shown, "origin", from));
    } else {
        struct page page;
        page_init(&page, stdout, options->colour);
        if (kept)
            page_text(&page, 0, PAGE_PLAIN, "Your work is kept in %s.", shown);
        page_text(&page, 0, PAGE_PLAIN,
                  kept ? "%s is the skeleton again, from %s."
                       : "%s is the skeleton already, as in %s.",
                  target->source, from);
    }
    free(from);
    free(shown);
}

/* Keeps a copy of what is there, if it is anything, and puts the skeleton in its place. */
static enum grader_status reset(const struct options *options, const struct workbook *book,
                                const struct target *target, struct diag *diag) {
    char *origin = workbook_skeleton(book, target->lab, target->manifest->source);
    char *skeleton = NULL, *bytes = NULL, *kept = NULL;
    size_t n_skeleton, n_bytes;
    enum grader_status status = file_read_source(origin, &skeleton, &n_skeleton, diag);
    if (status == GRADER_OK && file_exists(target->source)) {
        status = file_read(target->source, FILE_SOURCE_BYTES, &bytes, &n_bytes, diag);
        bool is_same = bytes && n_bytes == n_skeleton && memcmp(bytes, skeleton, n_bytes) == 0;
        kept = bytes && n_bytes > 0 && !is_same ? kept_path(book, target) : NULL;
        if (kept)
            status = file_write(kept, bytes, n_bytes, diag);
    }
    if (status == GRADER_OK)
        status = file_write(target->source, skeleton, n_skeleton, diag);
    if (status == GRADER_OK) {
        progress_forget(book, target->lab->name);
        say(options, target, kept, origin);
    }
    free(kept);
    free(bytes);
    free(skeleton);
    free(origin);
    return status;
}

static int reset_target(const struct options *options, const struct workbook *book,
                        const struct targets *targets) {
    const struct target *target = &targets->items[0];
    struct diag diag = target->diag;
    enum grader_status status =
        target->manifest ? reset(options, book, target, &diag) : GRADER_FAILED;
    return status == GRADER_OK ? GRADER_OK : session_fail(status, &diag);
}

int command_reset(const struct options *options) {
    return run_with_targets(options, options->argument, reset_target);
}
