/* The workbook's files, into a zip by libarchive: those of autograder/files/manifest, since
 * whatever is in the zip can be read by each submission. */
#include "grader/report/autograder/autograder.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/workbook/packing.h"

enum { FILE_BYTES = 16 << 20 };

static const char manifest[] = "grader/report/autograder/files/manifest";

/* A zip in the making. */
struct zip {
    struct archive *archive;
    const struct workbook *book;
    int interrupt_fd;
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
    OWNED char *bytes = NULL;
    size_t n;
    enum grader_status status = file_read(path, FILE_BYTES, &bytes, &n, zip->diag);
    if (status == GRADER_OK)
        status = add_bytes(zip, name, bytes, n, file_is_executable(path));
    return status;
}

/* Adds a file of the workbook. */
static enum grader_status add_own(struct zip *zip, const char *name) {
    OWNED char *path = text_format("%s/%s", zip->book->root, name);
    OWNED char *inside = text_format("warpbook/%s", name);
    enum grader_status status = GRADER_OK;
    if (process_is_interrupted(zip->interrupt_fd))
        status = GRADER_INTERRUPTED;
    else
        status = add_file(zip, inside, path);
    return status;
}

static enum grader_status add_script(struct zip *zip, const char *name) {
    OWNED char *path = text_format("%s/grader/report/autograder/files/%s", zip->book->root, name);
    return add_file(zip, name, path);
}

static enum grader_status add_all(struct zip *zip, const char *course) {
    struct packing packing;
    enum grader_status status =
        packing_find(&packing, zip->book, manifest, zip->interrupt_fd, zip->diag);
    if (status == GRADER_OK)
        status = add_script(zip, "setup.sh");
    if (status == GRADER_OK)
        status = add_script(zip, "run_autograder");
    if (status == GRADER_OK && course)
        status = add_file(zip, "course.yaml", course);
    for (size_t i = 0; i < packing.n && status == GRADER_OK; i++)
        status = add_own(zip, packing.names[i]);
    packing_finish(&packing);
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
    return status;
}
