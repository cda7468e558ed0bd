/* `remove NAME`: takes a lab out again. Work that git does not have goes only by --yes. */
#include "grader/cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/session/session.h"
#include "grader/verify/belongings.h"
#include "grader/workbook/packing.h"

enum { SHOWN = 10, GIT_STATE = 3 /* characters before a file in `git status --porcelain` */ };

/* The files of `git status`, up to SHOWN of them; what is gone already is none of them. The caller
 * frees the text; NULL where there is none. */
static char *files_of(const char *said) {
    char *text = NULL;
    const char *line;
    size_t length, n = 0;
    for (unsigned i = 1; (line = text_line(said, i, &length)) && n <= SHOWN; i++) {
        bool is_gone = strncmp(line, " D", 2) == 0 || strncmp(line, "D ", 2) == 0;
        if (length <= GIT_STATE || is_gone)
            continue;
        OWNED char *clean = text_clean(line + GIT_STATE, length - GIT_STATE, false);
        text_add(&text, "%s%s", n > 0 ? "\n" : "", n < SHOWN ? clean : "…");
        n++;
    }
    return text;
}

/* The files of a lab that git does not have as they are; NULL where nothing would be lost. The
 * caller frees it. */
static char *would_lose(const struct workbook *book, const char *lab) {
    char *places[BELONGINGS];
    const char *words[4 + BELONGINGS] = {"status", "--porcelain", "--ignored",
                                         "--untracked-files=all"};
    struct process_result run;
    for (size_t i = 0; i < BELONGINGS; i++)
        words[4 + i] = places[i] = belongings_name(lab, i);
    bool is_known = packing_git(book->root, words, sizeof words / sizeof *words, NULL, 0, -1, &run);
    char *lost =
        is_known ? files_of(run.output) : text_format("all of it: this is no git repository");
    free(run.output);
    for (size_t i = 0; i < BELONGINGS; i++)
        free(places[i]);
    return lost;
}

/* Files that git tracks and that still have its name, a line each; the caller frees it. NULL where
 * there is none. */
static char *mentions(const struct workbook *book, const char *lab) {
    const char *const words[] = {"grep", "-l", "-F", "-e", lab};
    struct process_result run;
    bool is_found = packing_git(book->root, words, sizeof words / sizeof *words, NULL, 0, -1, &run);
    char *files = is_found ? text_clean(run.output, run.output_bytes - 1, true) : NULL;
    free(run.output);
    return files;
}

/* The whole name of the lab that the argument means: of a lab that is there, or of which something
 * is left. NULL with a suggestion in `diag`; the caller frees it. */
static char *whole_name(const struct workbook *book, const char *argument, struct diag *diag) {
    bool is_name = text_is_like(argument, "[0-9][0-9]-[a-z]*") && !strpbrk(argument, "/'");
    const struct workbook_lab *lab = workbook_find(book, argument, diag);
    if (lab)
        return text_format("%s", lab->name);
    return is_name && belongings_has(book, argument) ? text_format("%s", argument) : NULL;
}

static void say(const struct options *options, const struct workbook *book, const char *lab,
                size_t n_lines) {
    struct page page;
    OWNED char *named = mentions(book, lab);
    page_init(&page, stdout, options->colour);
    page_text(&page, 0, PAGE_STRONG, "%s is removed, with %zu line%s of lists.", lab, n_lines,
              n_lines == 1 ? "" : "s");
    if (named)
        page_text(&page, 0, PAGE_PLAIN, "Its name still stands in (git grep -n %s):", lab);
    if (named)
        page_text(&page, 2, PAGE_PLAIN, "%s", named);
}

static enum grader_status take_out(const struct options *options, const struct workbook *book,
                                   const char *lab, struct diag *diag) {
    OWNED char *lost = options->given & OPTION_YES ? NULL : would_lose(book, lab);
    size_t n_lines;
    if (lost) {
        diag_set(diag, NULL, 0,
                 "%s is kept, for git does not have\n%.800s\n"
                 "Commit that, or remove it all the same: ./warpbook remove %s --yes",
                 lab, lost, lab);
        return GRADER_BAD_INPUT;
    }
    enum grader_status status = belongings_lines(book, lab, true, &n_lines, diag);
    for (size_t i = 0; i < BELONGINGS && status == GRADER_OK; i++) {
        OWNED char *path = belongings_path(book, lab, i);
        file_remove_tree(path);
        if (file_exists(path)) {
            diag_set(diag, path, 0, "this could not be removed");
            status = GRADER_FAILED;
        }
    }
    if (status == GRADER_OK)
        say(options, book, lab, n_lines);
    return status;
}

int command_remove(const struct options *options) {
    OWNED_BY(workbook_finish) struct workbook book;
    OWNED char *lab = NULL;
    struct diag diag;
    enum grader_status status = workbook_init(&book, &diag);
    if (status == GRADER_OK) {
        lab = whole_name(&book, options->argument, &diag);
        status = lab ? take_out(options, &book, lab, &diag) : GRADER_BAD_INPUT;
    }
    return status == GRADER_OK ? GRADER_OK : session_fail(status, &diag);
}
