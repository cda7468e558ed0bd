/* Asks git, or BUILD/skeletons/NN-name/. */
#include "grader/skeleton.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/file.h"
#include "grader/nvcc.h"
#include "grader/process.h"
#include "grader/text.h"

enum { GIT_MS = 10000 };

/* What git has of a file, in place of `skeleton->bytes`. False where it has none. */
static bool read_git(const struct workbook *book, const struct workbook_lab *lab,
                     const char *source, struct skeleton *skeleton) {
    char *git = nvcc_search_path("git");
    if (!git)
        return false;
    char *name = text_format("HEAD:./labs/%s/%s", lab->name, source);
    char *argv[] = {git, "-C", book->root, "show", name, NULL};
    char **environment = process_environment("GIT_", NULL, 0);
    struct process process = {
        .path = git, .argv = argv, .envp = environment, .timeout_ms = GIT_MS, .interrupt_fd = -1};
    struct process_result run;
    process_run(&process, &run);
    bool found = run.how == PROCESS_ENDED && run.exit_status == 0 && run.output_bytes > 0;
    if (found) {
        *skeleton = (struct skeleton){run.output, run.output_bytes, "git (HEAD)"};
        run.output = NULL;
    }
    free(run.output);
    free(environment);
    free(name);
    free(git);
    return found;
}

static char *copy_path(const struct workbook *book, const char *lab, const char *source) {
    return text_format("%s/skeletons/%s/%s", book->build, lab, source);
}

enum grader_status skeleton_read(const struct workbook *book, const struct workbook_lab *lab,
                                 const char *source, struct skeleton *skeleton, struct diag *diag) {
    *skeleton = (struct skeleton){0};
    if (read_git(book, lab, source, skeleton))
        return GRADER_OK;
    char *path = copy_path(book, lab->name, source);
    enum grader_status status = file_read_source(path, &skeleton->bytes, &skeleton->n_bytes, NULL);
    skeleton->origin = "the copy of the first build";
    if (status != GRADER_OK)
        diag_set(diag, NULL, 0,
                 "the skeleton of %s is neither in git (git show HEAD:labs/%s/%s) nor in %s",
                 source, lab->name, source, path);
    free(path);
    return status == GRADER_OK ? GRADER_OK : GRADER_FAILED;
}

void skeleton_finish(struct skeleton *skeleton) {
    free(skeleton->bytes);
}

static int is_cuda_source(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".cu") == 0;
}

static void keep(const struct workbook *book, const struct workbook_lab *lab, const char *source) {
    char *copy = copy_path(book, lab->name, source), *bytes = NULL;
    char *from = text_format("%s/%s", lab->folder, source);
    size_t n_bytes;
    if (!file_exists(copy) && file_read_source(from, &bytes, &n_bytes, NULL) == GRADER_OK)
        file_write(copy, bytes, n_bytes, NULL);
    free(bytes);
    free(from);
    free(copy);
}

void skeleton_keep_all(const struct workbook *book) {
    char *git = text_format("%s/.git", book->root);
    for (size_t i = 0; !file_exists(git) && i < book->n_labs; i++) {
        struct dirent **entries;
        int n = scandir(book->labs[i].folder, &entries, is_cuda_source, alphasort);
        for (int k = 0; k < n; k++) {
            keep(book, &book->labs[i], entries[k]->d_name);
            free(entries[k]);
        }
        if (n >= 0)
            free(entries);
    }
    free(git);
}
