/* Reads the archive by libarchive; of a file's path, its last two parts count. */
#include "grader/verify/strangers/sealed.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"

enum { BLOCK_BYTES = 1 << 16, MOST_FILES = 4096 };

/* "round-b/name.cu" of "./strangers/round-b/name.cu"; NULL where it is no file of an answer. */
static const char *own_path(const char *path) {
    const char *name = file_base(path), *dot = strrchr(name, '.'), *start = name;
    if (!dot || dot == name || (strcmp(dot, ".cu") != 0 && strcmp(dot, ".patch") != 0))
        return NULL;
    if (name > path)
        start--;
    while (start > path && start[-1] != '/')
        start--;
    return *start == '.' || *start == '/' ? name : start;
}

/* Copies an entry of the archive to a file. */
static enum grader_status unpack(struct archive *archive, const char *path, struct diag *diag) {
    OWNED char *bytes = malloc(FILE_SOURCE_BYTES);
    if (!bytes)
        abort();
    la_ssize_t n = archive_read_data(archive, bytes, FILE_SOURCE_BYTES);
    enum grader_status status = GRADER_FAILED;
    if (n < 0 || n == FILE_SOURCE_BYTES)
        diag_set(diag, path, 0, "a file of the archive can't be read, or is too large");
    else
        status = file_write(path, bytes, (size_t)n, diag);
    return status;
}

static enum grader_status unpack_all(struct archive *archive, const char *folder,
                                     struct diag *diag) {
    struct archive_entry *entry;
    enum grader_status status = GRADER_OK;
    int how, n = 0;
    while (status == GRADER_OK && (how = archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
        const char *path = archive_entry_pathname(entry);
        const char *own = path ? own_path(path) : NULL;
        if (!own || archive_entry_filetype(entry) != AE_IFREG)
            continue;
        char *to = text_format("%s/%s", folder, own);
        status = ++n > MOST_FILES ? GRADER_FAILED : unpack(archive, to, diag);
        if (n > MOST_FILES)
            diag_set(diag, NULL, 0, "the archive has more than %d files", MOST_FILES);
        free(to);
    }
    if (status == GRADER_OK && how != ARCHIVE_EOF) {
        diag_set(diag, NULL, 0, "%s", archive_error_string(archive));
        status = GRADER_FAILED;
    }
    return status;
}

enum grader_status sealed_open(const char *archive, const char *folder, struct diag *diag) {
    struct archive *reader = archive_read_new();
    if (!reader)
        abort();
    archive_read_support_filter_xz(reader);
    archive_read_support_format_tar(reader);
    enum grader_status status = GRADER_FAILED;
    if (archive_read_open_filename(reader, archive, BLOCK_BYTES) != ARCHIVE_OK)
        diag_set(diag, archive, 0, "%s", archive_error_string(reader));
    else
        status = unpack_all(reader, folder, diag);
    archive_read_free(reader);
    return status;
}
