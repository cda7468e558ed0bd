/* Compares names with patterns: those of git's list of files, or of what is there. */
#include "grader/verify/files.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/workbook/packing.h"

enum { GIT_MS = 60000 };

static const char *const lab_patterns[] = {
    "lab.yaml",  "hints.??.yaml", "meson.build",       "*.h", "*.cuh",
    "tests/*.c", "tests/*.h",     "tests/meson.build", NULL,
};
static const char *const solution_patterns[] = {
    "mistakes.yaml",
    "equivalent.yaml",
    "variants/*.cu",
    "strangers/*/*.cu",
    "strangers/*/*.patch",
    "strangers/sealed.tar.xz",
    "strangers/open.yaml",
    "skeleton/*.cu",
    "mistakes/*.cu",
    "mistakes/*.cuh",
    "*.cuh",
    "*.h",
    "*.md",
    NULL,
};

static bool is_expected(const char *name, const char *const *patterns, const char *source) {
    if (strcmp(name, source) == 0)
        return true;
    for (; *patterns; patterns++) {
        if (fnmatch(*patterns, name, FNM_PATHNAME | FNM_PERIOD) == 0)
            return true;
    }
    return false;
}

/* Lists the files below a folder, as git does: those that it tracks; where it tracks none, all. */
static void list_files(const char *folder, struct process_result *run) {
    if (packing_tracked(folder, -1, run))
        return;
    free(run->output);
    OWNED char *find = file_in_path("find");
    char *argv[] = {find, (char *)folder, "-type", "f", "-printf", "%P\\0", NULL};
    struct process process = {.path = find, .argv = argv, .timeout_ms = GIT_MS, .interrupt_fd = -1};
    *run = (struct process_result){.output = NULL};
    if (find)
        process_run(&process, run);
}

/* Looks at the name of a file below a folder; says what is to be said of it, or NULL. */
typedef char *files_look(const char *folder, const char *name, const char *const *patterns,
                         const char *source);

static char *look_for_unexpected(const char *folder, const char *name, const char *const *patterns,
                                 const char *source) {
    return is_expected(name, patterns, source) ? NULL : text_format("%s/%s", folder, name);
}

static char *blank_in(const char *path) {
    OWNED char *bytes = NULL;
    size_t n_bytes, length;
    const char *line;
    if (file_read(path, FILE_SOURCE_BYTES, &bytes, &n_bytes, NULL) != GRADER_OK)
        return NULL;
    for (unsigned i = 1; (line = text_line(bytes, i, &length)); i++) {
        if (memmem(line, length, "BLANK: ", strlen("BLANK: ")))
            return text_format("%s:%u", path, i);
    }
    return NULL;
}

static char *look_for_blanks(const char *folder, const char *name, const char *const *patterns,
                             const char *source) {
    (void)patterns;
    (void)source;
    char *path = text_format("%s/%s", folder, name), *place = blank_in(path);
    free(path);
    return place;
}

/* Looks at all files below a folder, until there is something to say. */
static char *find_in(const char *folder, files_look *look, const char *const *patterns,
                     const char *source) {
    struct process_result run;
    char *found = NULL;
    list_files(folder, &run);
    for (size_t at = 0; !found && at < run.output_bytes; at += strlen(run.output + at) + 1)
        found = look(folder, run.output + at, patterns, source);
    free(run.output);
    return found;
}

static char *find_in_both(const struct workbook *book, const struct target *target,
                          files_look *look) {
    const char *source = target->manifest->source;
    char *solution = workbook_solution(book, target->lab);
    char *found = find_in(target->lab->folder, look, lab_patterns, source);
    if (!found)
        found = find_in(solution, look, solution_patterns, source);
    free(solution);
    return found;
}

char *files_find_unexpected(const struct workbook *book, const struct target *target) {
    return find_in_both(book, target, look_for_unexpected);
}

char *files_find_blank(const struct workbook *book, const struct target *target) {
    OWNED char *handout = text_format("%s/handouts/%s.md", book->root, target->lab->name);
    char *found = find_in_both(book, target, look_for_blanks);
    if (!found)
        found = blank_in(handout);
    return found;
}
