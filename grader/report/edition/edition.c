/*
 * Files of files/manifest, each as students get it: sources without what is marked as the full
 * edition's, tests with sealed explanations, manifests with sealed words, and the labs' own files
 * as the skeletons are, whatever was written into them here.
 */
#include "grader/report/edition/edition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/system/process.h"
#include "grader/report/edition/answers.h"
#include "grader/report/edition/leaks.h"
#include "grader/report/edition/sources.h"
#include "grader/report/edition/words.h"
#include "grader/workbook/packing.h"
#include "grader/workbook/target.h"

enum { FILE_BYTES = 16 << 20 };

static const char own_files[] = "grader/report/edition/files/";

/* An edition in the making. */
struct work {
    const struct session *session;
    struct packing packing;
    struct leaks leaks;
    json_t *answers; /* answers_count's */
    char *folder;    /* where it is made */
    struct edition *edition;
    struct diag *diag;
};

/* The folder above a path, as an absolute path; NULL where it is not there. */
static char *folder_above(const char *path) {
    OWNED char *above = text_format("%s", path);
    char *slash = strrchr(above, '/');
    if (slash)
        slash[slash == above] = '\0';
    return realpath(slash ? above : ".", NULL);
}

/* A path without the slashes at its end. */
static char *without_slashes(const char *path) {
    char *plain = text_format("%s", path);
    for (size_t n = strlen(plain); n > 1 && plain[n - 1] == '/'; n--)
        plain[n - 1] = '\0';
    return plain;
}

static bool is_below(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

enum grader_status edition_check(const struct workbook *book, const char *path, struct diag *diag) {
    OWNED char *plain = without_slashes(path), *above = folder_above(plain);
    OWNED char *root = realpath(book->root, NULL);
    OWNED_BY(folder_finish) struct folder entries = {0};
    const char *base = file_base(plain), *problem = NULL;
    if (!*path || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        problem = "this is no name for a new folder";
    else if (!above)
        problem = "the folder above it is not there";
    else if (root && is_below(above, root))
        problem = "this lies in the workbook itself; name a folder elsewhere, such as ../students";
    else if (file_is_link(plain) || (file_exists(plain) && !file_is_directory(plain)))
        problem = "there is something of that name, and it is no folder";
    else if (file_is_directory(plain) && !folder_read(&entries, plain))
        problem = "this folder cannot be read";
    else if (entries.n > 0)
        problem = "this folder is not empty; an edition wants a new one, or an empty one";
    if (!problem)
        return GRADER_OK;
    diag_set(diag, path, 0, "%s", problem);
    return GRADER_BAD_INPUT;
}

/* Where a file goes: a path below the edition. */
static char *place_of(const char *name) {
    const char *rest = strstr(name, "/skeleton/");
    if (strncmp(name, "solutions/", strlen("solutions/")) == 0 && rest)
        return text_format("skeletons/%.*s/%s", (int)(rest - name - strlen("solutions/")),
                           name + strlen("solutions/"), rest + strlen("/skeleton/"));
    if (strncmp(name, own_files, strlen(own_files)) != 0)
        return text_format("%s", name);
    const char *own = name + strlen(own_files);
    return strcmp(own, "gitignore.txt") == 0     ? text_format(".gitignore")
           : strncmp(own, "skeletons-", 10) == 0 ? text_format("skeletons/%s", own + 10)
                                                 : text_format("%s", own);
}

/* The lab in whose folder of labs/ a file lies, or NULL; `*inside` is its path there. */
static const struct workbook_lab *lab_of(const struct workbook *book, const char *name,
                                         const char **inside) {
    for (size_t i = 0; i < book->n_labs; i++) {
        OWNED char *folder = text_format("labs/%s/", book->labs[i].name);
        *inside = name + strlen(folder);
        if (strncmp(name, folder, strlen(folder)) == 0)
            return &book->labs[i];
    }
    return NULL;
}

static char *read_file(const struct work *work, const char *path) {
    char *text = NULL;
    size_t n_bytes;
    enum grader_status status = file_read(path, FILE_BYTES, &text, &n_bytes, work->diag);
    if (status == GRADER_OK && strlen(text) == n_bytes)
        return text;
    if (status == GRADER_OK)
        diag_set(work->diag, path, 0, "this is no text, and what it has in it cannot be seen");
    free(text);
    return NULL;
}

/* What students get of a lab's file, the caller's to free; NULL where it cannot be had. `text` is
 * what it is here. */
static char *lab_text(const struct work *work, const struct workbook_lab *lab, const char *inside,
                      const char *name, const char *text) {
    const struct workbook *book = &work->session->book;
    struct manifest *manifest = manifest_load(lab->folder, work->diag);
    char *out = NULL;
    if (!manifest)
        return NULL;
    if (strcmp(inside, "lab.yaml") == 0) {
        out = words_seal(manifest);
    } else if (strcmp(inside, manifest->source) == 0) {
        OWNED char *skeleton = workbook_skeleton(book, lab, manifest->source);
        out = read_file(work, skeleton);
    } else if (strncmp(inside, "tests/", 6) == 0) {
        out = sources_seal(text, name, json_object_get(work->answers, lab->name), work->diag);
    } else {
        out = text_format("%s", text);
    }
    manifest_free(manifest);
    return out;
}

/* What students get of a file. */
static char *text_of(const struct work *work, const char *name) {
    const char *inside = name;
    const struct workbook *book = &work->session->book;
    const struct workbook_lab *lab = lab_of(book, name, &inside);
    OWNED char *path = text_format("%s/%s", book->root, name);
    OWNED char *text = read_file(work, path);
    OWNED char *kept = text ? sources_strip(text, name, work->diag) : NULL;
    if (kept && lab)
        return lab_text(work, lab, inside, name, kept);
    return kept ? text_format("%s", kept) : NULL;
}

static enum grader_status write_file(const struct work *work, const char *name) {
    OWNED char *from = text_format("%s/%s", work->session->book.root, name);
    OWNED char *place = place_of(name), *to = text_format("%s/%s", work->folder, place);
    OWNED char *text = text_of(work, name);
    unsigned line = text ? leaks_find(&work->leaks, text, strlen(text)) : 0;
    if (!text)
        return GRADER_FAILED;
    if (line > 0) {
        diag_set(work->diag, name, line,
                 "from here on this says what an answer in solutions/ says, so it is not for "
                 "students; no edition was written");
        return GRADER_FAILED;
    }
    enum grader_status status = file_write(to, text, strlen(text), work->diag);
    if (status == GRADER_OK && chmod(to, file_is_executable(from) ? 0755 : 0644) != 0) {
        diag_set(work->diag, to, 0, "%s", strerror(errno));
        status = GRADER_FAILED;
    }
    work->edition->n_files++;
    return status;
}

static enum grader_status write_files(const struct work *work) {
    enum grader_status status = GRADER_OK;
    for (size_t i = 0; i < work->packing.n && status == GRADER_OK; i++) {
        if (process_is_interrupted(work->session->interrupt_fd))
            status = GRADER_INTERRUPTED;
        else
            status = write_file(work, work->packing.names[i]);
    }
    return status;
}

/* Runs git in the new folder, as nobody in particular and without anybody's settings. */
static enum grader_status run_git(const struct work *work, const char *const *words, size_t n) {
    static char *const settings[] = {
        "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
        "GIT_AUTHOR_NAME=Warpbook",    "GIT_AUTHOR_EMAIL=warpbook@localhost",
        "GIT_COMMITTER_NAME=Warpbook", "GIT_COMMITTER_EMAIL=warpbook@localhost"};
    struct process_result run;
    enum grader_status status = GRADER_OK;
    if (!packing_git(work->folder, words, n, settings, sizeof settings / sizeof *settings,
                     work->session->interrupt_fd, &run))
        status = run.how == PROCESS_INTERRUPTED ? GRADER_INTERRUPTED : GRADER_FAILED;
    if (status == GRADER_FAILED) {
        OWNED char *said = text_clean(run.output ? run.output : "", run.output_bytes, false);
        diag_set(work->diag, NULL, 0, "git makes no commit of it: %.600s",
                 run.how == PROCESS_NOT_STARTED ? "there is no git" : said);
    }
    free(run.output);
    return status;
}

static enum grader_status make_history(const struct work *work) {
    static const char *const init[] = {"init", "-q", "-b", "main"};
    static const char *const add[] = {"add", "-A", "-f"};
    static const char *const commit[] = {"commit", "-q", "-m", "warpbook: the labs"};
    enum grader_status status = run_git(work, init, 4);
    if (status == GRADER_OK)
        status = run_git(work, add, 3);
    if (status == GRADER_OK)
        status = run_git(work, commit, 4);
    return status;
}

/* Gives the folder its name. One that is there is empty, or rename refuses. */
static enum grader_status give_name(const struct work *work, const char *path) {
    if (chmod(work->folder, 0755) == 0 && rename(work->folder, path) == 0)
        return GRADER_OK;
    diag_set(work->diag, path, 0, "the edition cannot get this name: %s", strerror(errno));
    return GRADER_FAILED;
}

static enum grader_status make(struct work *work, const char *path, bool is_git) {
    const struct session *session = work->session;
    OWNED char *above = folder_above(path);
    OWNED char *manifest = text_format("%smanifest", own_files);
    enum grader_status status =
        packing_find(&work->packing, &session->book, manifest, session->interrupt_fd, work->diag);
    if (status == GRADER_OK)
        status = leaks_read(&work->leaks, &session->book, work->diag);
    if (status == GRADER_OK)
        status = answers_count(session, &work->answers, work->diag);
    if (status != GRADER_OK)
        return status;
    char *folder = text_format("%s/.%s.XXXXXX", above, file_base(path));
    if (!mkdtemp(folder)) {
        diag_set(work->diag, above, 0, "no folder can be made here: %s", strerror(errno));
        free(folder);
        return GRADER_FAILED;
    }
    work->folder = folder;
    status = write_files(work);
    if (status == GRADER_OK && is_git)
        status = make_history(work);
    if (status == GRADER_OK && process_is_interrupted(session->interrupt_fd))
        status = GRADER_INTERRUPTED;
    if (status == GRADER_OK)
        status = give_name(work, path);
    if (status != GRADER_OK)
        file_remove_tree(folder);
    return status;
}

enum grader_status edition_write(const struct session *session, const char *path, bool is_git,
                                 struct edition *edition, struct diag *diag) {
    OWNED char *plain = without_slashes(path);
    struct work work = {.session = session, .edition = edition, .diag = diag};
    *edition = (struct edition){.n_labs = session->book.n_labs};
    enum grader_status status = edition_check(&session->book, path, diag);
    if (status == GRADER_OK)
        status = make(&work, plain, is_git);
    packing_finish(&work.packing);
    leaks_finish(&work.leaks);
    json_decref(work.answers);
    free(work.folder);
    return status;
}
