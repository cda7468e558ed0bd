/* A walk over the workbook, into a zip by libarchive. */
#include "grader/formats/autograder.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/file.h"
#include "grader/text.h"

enum { FILE_BYTES = 16 << 20 };

/* A zip in the making. */
struct zip {
    struct archive *archive;
    const struct workbook *book;
    struct diag *diag;
};

static enum grader_status fail(const struct zip *zip) {
    diag_set(zip->diag, NULL, 0, "the zip cannot be written: %s",
             archive_error_string(zip->archive));
    return GRADER_FAILED;
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
    char *bytes = NULL;
    size_t n;
    enum grader_status status = file_read(path, FILE_BYTES, &bytes, &n, zip->diag);
    if (status == GRADER_OK)
        status = add_bytes(zip, name, bytes, n, file_is_executable(path));
    free(bytes);
    return status;
}

/* Builds and history. */
static bool is_left_out(const char *path, const char *name, bool is_top) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "__pycache__") == 0)
        return true;
    if (!is_top)
        return false;
    return (*name == '.' && strcmp(name, ".ci") != 0) || file_is_link(path);
}

static enum grader_status add_folder(struct zip *zip, const char *folder, const char *name,
                                     bool is_top) {
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);
    enum grader_status status = GRADER_OK;
    if (n < 0) {
        diag_set(zip->diag, folder, 0, "this folder cannot be read");
        return GRADER_FAILED;
    }
    for (int i = 0; i < n; i++) {
        char *path = text_format("%s/%s", folder, entries[i]->d_name);
        char *inside = text_format("%s/%s", name, entries[i]->d_name);
        bool is_build = strcmp(path, zip->book->build) == 0;
        if (status == GRADER_OK && !is_build && !is_left_out(path, entries[i]->d_name, is_top)) {
            if (file_is_directory(path) && !file_is_link(path))
                status = add_folder(zip, path, inside, false);
            else if (file_is_regular(path))
                status = add_file(zip, inside, path);
        }
        free(inside);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum grader_status add_script(struct zip *zip, const char *name) {
    char *path = text_format("%s/grader/formats/autograder/%s", zip->book->root, name);
    enum grader_status status = add_file(zip, name, path);
    free(path);
    return status;
}

enum grader_status autograder_write(const struct workbook *book, const char *path,
                                    const char *course, struct diag *diag) {
    struct zip zip = {.archive = archive_write_new(), .book = book, .diag = diag};
    enum grader_status status = GRADER_OK;
    if (!zip.archive)
        abort();
    if (archive_write_set_format_zip(zip.archive) != ARCHIVE_OK ||
        archive_write_open_filename(zip.archive, path) != ARCHIVE_OK)
        status = fail(&zip);
    if (status == GRADER_OK)
        status = add_script(&zip, "setup.sh");
    if (status == GRADER_OK)
        status = add_script(&zip, "run_autograder");
    if (status == GRADER_OK && course)
        status = add_file(&zip, "course.yaml", course);
    if (status == GRADER_OK)
        status = add_folder(&zip, book->root, "warpbook", true);
    if (status == GRADER_OK && archive_write_close(zip.archive) != ARCHIVE_OK)
        status = fail(&zip);
    archive_write_free(zip.archive);
    return status;
}
