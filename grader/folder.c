/* Patterns of names, held against git's list of files, or against what is there. */
#include "grader/folder.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "grader/file.h"
#include "grader/nvcc.h"
#include "grader/process.h"
#include "grader/text.h"

enum { GIT_MS = 10000 };

static const char *const lab_patterns[] = {
    "lab.yaml", "meson.build", "*.h", "*.cuh", "tests/*.c", "tests/*.h", "tests/meson.build", NULL,
};
static const char *const solution_patterns[] = {
    "mistakes.yaml", "mistakes/*.cu", "mistakes/*.cuh", "*.cuh", "*.h", "*.md", NULL,
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
    char *git = nvcc_search_path("git");
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
    char *find = nvcc_search_path("find");
    char *argv[] = {find, (char *)folder, "-type", "f", "-printf", "%P\\n", NULL};
    struct process process = {.path = find, .argv = argv, .timeout_ms = GIT_MS, .interrupt_fd = -1};
    struct process_result run = {.output = NULL};
    if (find)
        process_run(&process, &run);
    free(find);
    return run.output ? run.output : text_format("%s", "");
}

static char *find_in(const char *folder, const char *const *patterns, const char *source) {
    char *list = file_is_directory(folder) ? list_git(folder) : NULL, *stranger = NULL;
    const char *line;
    size_t length;
    if (!list)
        list = list_folder(folder);
    for (unsigned i = 1; !stranger && (line = text_line(list, i, &length)); i++) {
        char *name = text_format("%.*s", (int)length, line);
        if (length > 0 && !is_expected(name, patterns, source))
            stranger = text_format("%s/%s", folder, name);
        free(name);
    }
    free(list);
    return stranger;
}

char *folder_find_stranger(const struct workbook *book, const struct target *target) {
    const char *source = target->manifest->source;
    char *stranger = find_in(target->lab->folder, lab_patterns, source);
    char *solution = workbook_solution(book, target->lab);
    if (!stranger)
        stranger = find_in(solution, solution_patterns, source);
    free(solution);
    return stranger;
}
