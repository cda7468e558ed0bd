/* libarchive's readers of files and of disks, made alike. */
#include "grader/class/intake/reader.h"

#include <archive.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/intake/archive.h"
#include "grader/class/intake/entry.h"
#include "grader/class/intake/name.h"
#include "common/base/text.h"

enum { BLOCK_BYTES = 1 << 16 };

struct archive *reader_open(const char *path, bool is_folder) {
    struct archive *archive = is_folder ? archive_read_disk_new() : archive_read_new();
    if (!archive)
        abort();
    if (is_folder) {
        archive_read_disk_set_symlink_physical(archive);
        archive_read_disk_open(archive, path);
        return archive;
    }
    archive_read_support_format_zip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_open_filename(archive, path, BLOCK_BYTES);
    return archive;
}

int reader_next(struct archive *archive, size_t n_above, struct archive_entry **entry) {
    for (;;) {
        int code = archive_read_next_header(archive, entry);
        if (n_above == 0 || code == ARCHIVE_EOF || code < ARCHIVE_WARN)
            return code;
        archive_read_disk_descend(archive);
        const char *name = archive_entry_pathname(*entry);
        if (!name || strlen(name) <= n_above)
            continue; /* the folder itself */
        char *below = text_format("%s", name + n_above);
        archive_entry_copy_pathname(*entry, below);
        free(below);
        return code;
    }
}

/* Leaves of `wrapping` what is around the file `path`, too: whole folders, none of which is named
 * as a student's. */
static void narrow(char *wrapping, const char *path) {
    size_t n = 0, same = 0;
    for (; wrapping[n] && wrapping[n] == path[n]; n++) {
        if (wrapping[n] == '/')
            same = n + 1;
    }
    wrapping[same] = '\0';
}

char *reader_wrapping(const char *path, bool is_folder) {
    struct archive *archive = reader_open(path, is_folder);
    struct archive_entry *entry;
    char *wrapping = NULL, *file;
    bool is_changed;
    int code;
    while ((code = reader_next(archive, is_folder ? strlen(path) + 1 : 0, &entry)) != ARCHIVE_EOF &&
           code > ARCHIVE_FATAL && (is_folder || code >= ARCHIVE_WARN)) {
        if (code < ARCHIVE_WARN || archive_entry_filetype(entry) != AE_IFREG ||
            strncmp(entry_name(entry), "__MACOSX/", 9) == 0 ||
            !(file = entry_path(entry_name(entry), ARCHIVE_DEPTH, &is_changed, NULL)))
            continue;
        if (!wrapping)
            wrapping = text_format("%s", file);
        narrow(wrapping, file);
        free(file);
    }
    archive_read_free(archive);
    for (char *at = wrapping, *slash; at && (slash = strchr(at, '/')); at = slash + 1) {
        struct name_parts parts;
        *slash = '\0';
        name_read(at, &parts);
        *slash = '/';
        if (parts.kind != NAME_PLAIN)
            *at = '\0';
        name_parts_free(&parts);
    }
    return wrapping ? wrapping : text_format("%s", "");
}
