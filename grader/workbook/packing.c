/* Reads a manifest, and asks git, or the folders themselves, what there is. */
#include "grader/workbook/packing.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"

enum { MANIFEST_BYTES = 1 << 16, GIT_BYTES = 1 << 20, GIT_MS = 60000 };

/* A search. */
struct search {
    const struct workbook *book;
    int interrupt_fd;
    regex_t *patterns; /* the manifest's */
    size_t n_patterns;
    char **names; /* what may go out: all that git tracks, else all files, below the workbook */
    size_t n_names;
    struct diag *diag;
};

/* Reads the manifest: a regular expression a line, for whole paths. */
static enum grader_status read_manifest(struct search *search, const char *manifest) {
    OWNED char *path = text_format("%s/%s", search->book->root, manifest);
    OWNED char *bytes = NULL;
    size_t n_bytes, length;
    const char *line;
    enum grader_status status = file_read(path, MANIFEST_BYTES, &bytes, &n_bytes, search->diag);
    for (unsigned i = 1; status == GRADER_OK && (line = text_line(bytes, i, &length)); i++) {
        if (length == 0 || *line == '#')
            continue;
        OWNED char *whole = text_format("^(%.*s)$", (int)length, line);
        search->patterns =
            grow_list(search->patterns, search->n_patterns, sizeof *search->patterns);
        if (regcomp(&search->patterns[search->n_patterns], whole, REG_EXTENDED | REG_NOSUB) == 0) {
            search->n_patterns++;
        } else {
            diag_set(search->diag, path, i, "this is no regular expression");
            status = GRADER_FAILED;
        }
    }
    return status;
}

static void add_name(struct search *search, const char *name) {
    search->names = grow_list(search->names, search->n_names, sizeof *search->names);
    search->names[search->n_names++] = text_format("%s", name);
}

bool packing_git(const char *folder, const char *const *words, size_t n_words,
                 char *const *settings, size_t n_settings, int interrupt_fd,
                 struct process_result *run) {
    enum { FIRST = 3, MOST = 8 };
    OWNED char *git = file_in_path("git");
    char *argv[FIRST + MOST + 1] = {git, (char *)"-C", (char *)folder};
    char **environment = process_environment("GIT_", settings, n_settings);
    struct process process = {.path = git,
                              .argv = argv,
                              .envp = environment,
                              .timeout_ms = GIT_MS,
                              .interrupt_fd = interrupt_fd};
    *run = (struct process_result){.how = PROCESS_NOT_STARTED};
    for (size_t i = 0; i < n_words && i < MOST; i++)
        argv[FIRST + i] = (char *)words[i];
    if (git)
        process_run(&process, run);
    free(environment);
    return run->how == PROCESS_ENDED && run->exit_status == 0;
}

bool packing_tracked(const char *folder, int interrupt_fd, struct process_result *run) {
    static const char *const words[] = {"ls-files", "-z"};
    return packing_git(folder, words, 2, NULL, 0, interrupt_fd, run) && run->output_bytes > 0;
}

/* Asks git for what it tracks; no names where the workbook is in no repository. In a checkout of
 * its own, a git that does not answer is an error: the manifest alone would take in more. */
static enum grader_status ask_git(struct search *search) {
    OWNED char *own = text_format("%s/.git", search->book->root);
    struct process_result run;
    enum grader_status status = GRADER_OK;
    bool is_known = packing_tracked(search->book->root, search->interrupt_fd, &run);
    if (run.how == PROCESS_INTERRUPTED) {
        status = GRADER_INTERRUPTED;
    } else if (is_known && run.output_bytes < GIT_BYTES) {
        for (const char *at = run.output; *at; at += strlen(at) + 1)
            add_name(search, at);
    } else if (is_known || file_exists(own)) {
        OWNED char *said = text_clean(run.output ? run.output : "", run.output_bytes, false);
        diag_set(search->diag, search->book->root, 0,
                 "git does not say which files belong here: %.300s",
                 !run.output ? "there is no git"
                 : is_known  ? "it has too many"
                             : said);
        status = GRADER_FAILED;
    }
    free(run.output);
    return status;
}

/* Names all files of a folder below the workbook, "" for all; nothing hidden but .ci. */
static enum grader_status walk(struct search *search, const char *folder) {
    OWNED_BY(folder_finish) struct folder entries;
    OWNED char *real = text_format("%s/%s", search->book->root, folder);
    enum grader_status status = GRADER_OK;
    if (!folder_read(&entries, real)) {
        diag_set(search->diag, real, 0, "this folder cannot be read: %s", strerror(errno));
        status = GRADER_FAILED;
    }
    for (size_t i = 0; i < entries.n; i++) {
        const char *base = entries.names[i];
        OWNED char *name = text_format("%s%s%s", folder, *folder ? "/" : "", base);
        OWNED char *path = text_format("%s/%s", search->book->root, name);
        bool is_seen = (*base != '.' || strcmp(name, ".ci") == 0) &&
                       strcmp(path, search->book->build) != 0 && !file_is_link(path);
        if (status == GRADER_OK && is_seen && file_is_directory(path))
            status = walk(search, name);
        else if (is_seen)
            add_name(search, name);
    }
    return status;
}

static bool is_in_manifest(const struct search *search, const char *name) {
    bool is_in = false;
    for (size_t i = 0; i < search->n_patterns && !is_in; i++)
        is_in = regexec(&search->patterns[i], name, 0, NULL, 0) == 0;
    return is_in;
}

/* A lab that git does not track yet would be missed only there. */
static enum grader_status check_labs(const struct search *search) {
    for (size_t i = 0; i < search->book->n_labs; i++) {
        OWNED char *name = text_format("labs/%s/lab.yaml", search->book->labs[i].name);
        bool is_there = find_in_list(name, search->names, search->n_names, sizeof *search->names);
        if (!is_there)
            diag_set(search->diag, name, 0,
                     "git does not track this file, and what it does not track is left out: "
                     "`git add` what belongs to the lab");
        if (!is_there)
            return GRADER_BAD_INPUT;
    }
    return GRADER_OK;
}

/* Takes over the names of regular files that are in the manifest. */
static void keep_named(struct search *search, struct packing *packing) {
    for (size_t i = 0; i < search->n_names; i++) {
        const char *name = search->names[i];
        OWNED char *path = text_format("%s/%s", search->book->root, name);
        if (!is_in_manifest(search, name) || file_is_link(path) || !file_is_regular(path))
            continue;
        packing->names = grow_list(packing->names, packing->n, sizeof *packing->names);
        packing->names[packing->n++] = text_format("%s", name);
    }
}

enum grader_status packing_find(struct packing *packing, const struct workbook *book,
                                const char *manifest, int interrupt_fd, struct diag *diag) {
    struct search search = {.book = book, .interrupt_fd = interrupt_fd, .diag = diag};
    *packing = (struct packing){.n = 0};
    enum grader_status status = read_manifest(&search, manifest);
    if (status == GRADER_OK)
        status = ask_git(&search);
    if (status == GRADER_OK && search.n_names == 0)
        status = walk(&search, "");
    if (status == GRADER_OK)
        status = check_labs(&search);
    if (status == GRADER_OK)
        keep_named(&search, packing);
    for (size_t i = 0; i < search.n_patterns; i++)
        regfree(&search.patterns[i]);
    for (size_t i = 0; i < search.n_names; i++)
        free(search.names[i]);
    free(search.patterns);
    free(search.names);
    return status;
}

void packing_finish(struct packing *packing) {
    for (size_t i = 0; i < packing->n; i++)
        free(packing->names[i]);
    free(packing->names);
}
