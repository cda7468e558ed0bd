/* Reads an archive, or a folder as if it were one. */
#ifndef GRADER_CLASS_READER_H
#define GRADER_CLASS_READER_H

#include <archive_entry.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens it, to be closed by archive_read_free. Where it is no archive, the first read fails. */
struct archive *reader_open(const char *path, bool is_folder);

/* The next entry; libarchive's code. Of a folder, `n_above` is the length of its path and a slash,
 * which are taken off the names; 0 for an archive. */
int reader_next(struct archive *archive, size_t n_above, struct archive_entry **entry);

/* The folders that are around all files in it and are not named as a student's: "export/", or "".
 * The caller frees it. */
char *reader_wrapping(const char *path, bool is_folder);

#endif
