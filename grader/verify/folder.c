/* Patterns of names, held against git's list of files, or against what is there. */
#include "grader/verify/folder.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/file.h"
#include "common/base/process.h"
#include "common/base/text.h"

enum { GIT_MS = 10000 };

static const char *const lab_patterns[] = {
    "lab.yaml",  "hints.??.yaml", "meson.build",       "*.h", "*.cuh",
    "tests/*.c", "tests/*.h",     "tests/meson.build", NULL,
};
static const char *const solution_patterns[] = {
    "mistakes.yaml", "skeleton/*.cu", "mistakes/*.cu", "mistakes/*.cuh",
    "*.cuh",         "*.h",           "*.md",          NULL,
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

/* The files of a folder, below it, one a line: git's list, or NULL where git has none of them. */
static char *list_git(const char *folder) {
    char *git = file_in_path("git");
    if (!git)
        return NULL;
    char *argv[] = {git, "-C", (char *)folder, "ls-files", "--", ".", NULL};
    char **environment = process_environment("GIT_", NULL, 0);
    struct process process = {
        .path = git, .argv = argv, .envp = environment, .timeout_ms = GIT_MS, .interrupt_fd = -1};
    struct process_result run;
    process_run(&process, &run);
    bool is_known = run.how == PROCESS_ENDED && run.exit_status == 0 && run.output_bytes > 0;
    free(environment);
    free(git);
    if (is_known)
        return run.output;
    free(run.output);
    return NULL;
}

/* The same from the folder itself, by a program, since a walk in C has no context. */
static char *list_folder(const char *folder) {
    char *find = file_in_path("find");
    char *argv[] = {find, (char *)folder, "-type", "f", "-printf", "%P\\n", NULL};
    struct process process = {.path = find, .argv = argv, .timeout_ms = GIT_MS, .interrupt_fd = -1};
    struct process_result run = {.output = NULL};
    if (find)
        process_run(&process, &run);
    free(find);
    return run.output ? run.output : text_format("%s", "");
}

/* Looks at the name of a file below a folder; says what is to be said of it, or NULL. */
typedef char *folder_look(const char *folder, const char *name, const char *const *patterns,
                          const char *source);

static char *look_for_strangers(const char *folder, const char *name, const char *const *patterns,
                                const char *source) {
    return is_expected(name, patterns, source) ? NULL : text_format("%s/%s", folder, name);
}

static char *blank_in(const char *path) {
    char *bytes = NULL, *place = NULL;
    size_t n_bytes, length;
    const char *line;
    if (file_read(path, FILE_SOURCE_BYTES, &bytes, &n_bytes, NULL) != GRADER_OK)
        return NULL;
    for (unsigned i = 1; !place && (line = text_line(bytes, i, &length)); i++) {
        if (memmem(line, length, "BLANK: ", strlen("BLANK: ")))
            place = text_format("%s:%u", path, i);
    }
    free(bytes);
    return place;
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
static char *find_in(const char *folder, folder_look *look, const char *const *patterns,
                     const char *source) {
    char *list = file_is_directory(folder) ? list_git(folder) : NULL, *found = NULL;
    const char *line;
    size_t length;
    if (!list)
        list = list_folder(folder);
    for (unsigned i = 1; !found && (line = text_line(list, i, &length)); i++) {
        char *name = text_format("%.*s", (int)length, line);
        found = length > 0 ? look(folder, name, patterns, source) : NULL;
        free(name);
    }
    free(list);
    return found;
}

static char *find_in_both(const struct workbook *book, const struct target *target,
                          folder_look *look) {
    const char *source = target->manifest->source;
    char *solution = workbook_solution(book, target->lab);
    char *found = find_in(target->lab->folder, look, lab_patterns, source);
    if (!found)
        found = find_in(solution, look, solution_patterns, source);
    free(solution);
    return found;
}

char *folder_find_stranger(const struct workbook *book, const struct target *target) {
    return find_in_both(book, target, look_for_strangers);
}

char *folder_find_blank(const struct workbook *book, const struct target *target) {
    char *handout = text_format("%s/handouts/%s.md", book->root, target->lab->name);
    char *found = find_in_both(book, target, look_for_blanks);
    if (!found)
        found = blank_in(handout);
    free(handout);
    return found;
}
