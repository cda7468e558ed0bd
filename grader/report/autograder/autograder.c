/*
 * The workbook's files, into a zip by libarchive. A file goes in where autograder/files/manifest
 * has its path and, in a checkout, git tracks it: instructors keep journals, grades and students'
 * files in the workbook's folder, and whatever is in the zip can be read by each submission.
 */
#include "grader/report/autograder/autograder.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/verify/files.h"

enum { FILE_BYTES = 16 << 20, MANIFEST_BYTES = 1 << 16, GIT_BYTES = 1 << 20 };

/* A zip in the making. */
struct zip {
    struct archive *archive;
    const struct workbook *book;
    int interrupt_fd;
    regex_t *patterns; /* the manifest's */
    size_t n_patterns;
    char **names; /* what may go in: all that git tracks, else all files, below the workbook */
    size_t n_names;
    struct diag *diag;
};

static enum grader_status fail(const struct zip *zip) {
    diag_set(zip->diag, NULL, 0, "the zip cannot be written: %s",
             archive_error_string(zip->archive));
    return GRADER_FAILED;
}

/* Reads the manifest: a regular expression a line, for whole paths. */
static enum grader_status read_manifest(struct zip *zip) {
    OWNED char *path = text_format("%s/grader/report/autograder/files/manifest", zip->book->root);
    OWNED char *bytes = NULL;
    size_t n_bytes, length;
    const char *line;
    enum grader_status status = file_read(path, MANIFEST_BYTES, &bytes, &n_bytes, zip->diag);
    for (unsigned i = 1; status == GRADER_OK && (line = text_line(bytes, i, &length)); i++) {
        if (length == 0 || *line == '#')
            continue;
        OWNED char *whole = text_format("^(%.*s)$", (int)length, line);
        zip->patterns = grow_list(zip->patterns, zip->n_patterns, sizeof *zip->patterns);
        if (regcomp(&zip->patterns[zip->n_patterns], whole, REG_EXTENDED | REG_NOSUB) == 0) {
            zip->n_patterns++;
        } else {
            diag_set(zip->diag, path, i, "this is no regular expression");
            status = GRADER_FAILED;
        }
    }
    return status;
}

static void add_name(struct zip *zip, const char *name) {
    zip->names = grow_list(zip->names, zip->n_names, sizeof *zip->names);
    zip->names[zip->n_names++] = text_format("%s", name);
}

/* Asks git for what it tracks; no names where the workbook is in no repository. In a checkout of
 * its own, a git that does not answer is an error: the manifest alone would take in more. */
static enum grader_status ask_git(struct zip *zip) {
    OWNED char *own = text_format("%s/.git", zip->book->root);
    struct process_result run;
    enum grader_status status = GRADER_OK;
    bool is_known = files_tracked(zip->book->root, zip->interrupt_fd, &run);
    if (run.how == PROCESS_INTERRUPTED) {
        status = GRADER_INTERRUPTED;
    } else if (is_known && run.output_bytes < GIT_BYTES) {
        for (const char *at = run.output; *at; at += strlen(at) + 1)
            add_name(zip, at);
    } else if (is_known || file_exists(own)) {
        OWNED char *said = text_clean(run.output ? run.output : "", run.output_bytes, false);
        diag_set(zip->diag, zip->book->root, 0, "git does not say which files belong here: %.300s",
                 !run.output ? "there is no git"
                 : is_known  ? "it has too many"
                             : said);
        status = GRADER_FAILED;
    }
    free(run.output);
    return status;
}

/* Names all files of a folder below the workbook, "" for all; nothing hidden but .ci. */
static enum grader_status walk(struct zip *zip, const char *folder) {
    OWNED_BY(folder_finish) struct folder entries;
    OWNED char *real = text_format("%s/%s", zip->book->root, folder);
    enum grader_status status = GRADER_OK;
    if (!folder_read(&entries, real)) {
        diag_set(zip->diag, real, 0, "this folder cannot be read: %s", strerror(errno));
        status = GRADER_FAILED;
    }
    for (size_t i = 0; i < entries.n; i++) {
        const char *base = entries.names[i];
        OWNED char *name = text_format("%s%s%s", folder, *folder ? "/" : "", base);
        OWNED char *path = text_format("%s/%s", zip->book->root, name);
        bool is_seen = (*base != '.' || strcmp(name, ".ci") == 0) &&
                       strcmp(path, zip->book->build) != 0 && !file_is_link(path);
        if (status == GRADER_OK && is_seen && file_is_directory(path))
            status = walk(zip, name);
        else if (is_seen)
            add_name(zip, name);
    }
    return status;
}

static bool is_in_manifest(const struct zip *zip, const char *name) {
    bool is_in = false;
    for (size_t i = 0; i < zip->n_patterns && !is_in; i++)
        is_in = regexec(&zip->patterns[i], name, 0, NULL, 0) == 0;
    return is_in;
}

/* A lab that git does not track yet would be missed only there. */
static enum grader_status check_labs(const struct zip *zip) {
    for (size_t i = 0; i < zip->book->n_labs; i++) {
        OWNED char *name = text_format("labs/%s/lab.yaml", zip->book->labs[i].name);
        bool is_there = find_in_list(name, zip->names, zip->n_names, sizeof *zip->names);
        if (!is_there)
            diag_set(zip->diag, name, 0,
                     "git does not track this file, and what it does not track is left out: "
                     "`git add` what belongs to the lab");
        if (!is_there)
            return GRADER_BAD_INPUT;
    }
    return GRADER_OK;
}

static enum grader_status add_bytes(struct zip *zip, const char *name, const char *bytes, size_t n,
                                    bool is_program) {
    struct archive_entry *entry = archive_entry_new();
    if (!entry)
        abort();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, is_program ? 0755 : 0644);
    archive_entry_set_size(entry, (la_int64_t)n);
    bool ok = archive_write_header(zip->archive, entry) == ARCHIVE_OK &&
              (n == 0 || archive_write_data(zip->archive, bytes, n) == (la_ssize_t)n);
    archive_entry_free(entry);
    return ok ? GRADER_OK : fail(zip);
}

static enum grader_status add_file(struct zip *zip, const char *name, const char *path) {
    OWNED char *bytes = NULL;
    size_t n;
    enum grader_status status = file_read(path, FILE_BYTES, &bytes, &n, zip->diag);
    if (status == GRADER_OK)
        status = add_bytes(zip, name, bytes, n, file_is_executable(path));
    return status;
}

/* Adds a file of the workbook, where that is one by the manifest. Links are not followed. */
static enum grader_status add_own(struct zip *zip, const char *name) {
    OWNED char *path = text_format("%s/%s", zip->book->root, name);
    OWNED char *inside = text_format("warpbook/%s", name);
    enum grader_status status = GRADER_OK;
    if (process_is_interrupted(zip->interrupt_fd))
        status = GRADER_INTERRUPTED;
    else if (is_in_manifest(zip, name) && !file_is_link(path) && file_is_regular(path))
        status = add_file(zip, inside, path);
    return status;
}

static enum grader_status add_script(struct zip *zip, const char *name) {
    OWNED char *path = text_format("%s/grader/report/autograder/files/%s", zip->book->root, name);
    return add_file(zip, name, path);
}

static enum grader_status add_all(struct zip *zip, const char *course) {
    enum grader_status status = read_manifest(zip);
    if (status == GRADER_OK)
        status = ask_git(zip);
    if (status == GRADER_OK && zip->n_names == 0)
        status = walk(zip, "");
    if (status == GRADER_OK)
        status = check_labs(zip);
    if (status == GRADER_OK)
        status = add_script(zip, "setup.sh");
    if (status == GRADER_OK)
        status = add_script(zip, "run_autograder");
    if (status == GRADER_OK && course)
        status = add_file(zip, "course.yaml", course);
    for (size_t i = 0; i < zip->n_names && status == GRADER_OK; i++)
        status = add_own(zip, zip->names[i]);
    if (status == GRADER_OK && archive_write_close(zip->archive) != ARCHIVE_OK)
        status = fail(zip);
    return status;
}

enum grader_status autograder_write(const struct workbook *book, const char *path,
                                    const char *course, int interrupt_fd, struct diag *diag) {
    struct zip zip = {
        .archive = archive_write_new(), .book = book, .interrupt_fd = interrupt_fd, .diag = diag};
    struct file_draft draft;
    enum grader_status status = GRADER_OK;
    if (!zip.archive)
        abort();
    if (!file_begin(&draft, path)) {
        archive_write_free(zip.archive);
        return file_end(&draft, false, diag);
    }
    if (archive_write_set_format_zip(zip.archive) != ARCHIVE_OK ||
        archive_write_open_fd(zip.archive, draft.fd) != ARCHIVE_OK)
        status = fail(&zip);
    if (status == GRADER_OK)
        status = add_all(&zip, course);
    archive_write_free(zip.archive);
    if (status == GRADER_OK)
        status = file_end(&draft, true, diag);
    else
        file_end(&draft, false, NULL);
    for (size_t i = 0; i < zip.n_patterns; i++)
        regfree(&zip.patterns[i]);
    for (size_t i = 0; i < zip.n_names; i++)
        free(zip.names[i]);
    free(zip.patterns);
    free(zip.names);
    return status;
}
