/*
 * Unpacks what a school's system exported, or a student packed: zip and tar, and such files within
 * them. An archive is a stranger's: it gets folders and regular files below one folder, so many and
 * so large for each student (BUDGET_FILES, BUDGET_MIB), and nothing else. What is refused or
 * renamed is noted, and the rest is unpacked. The times in an archive are those of whoever packed
 * it, and count for nothing: what comes out of a student's has the time of that archive, what comes
 * out of a class's has none (0).
 */
#pragma once

#include <stdbool.h>

#include "common/base/text.h"
#include "grader/class/intake/unpack/notes.h"

enum {
    ARCHIVE_FILE_BYTES = 64 << 20, /* of one file within */
    ARCHIVE_FREE_BYTES = 32 << 20, /* that a student's archive may unpack to, whatever its ratio */
    ARCHIVE_RATIO = 200,           /* unpacked : packed, beyond that */
    ARCHIVE_NESTING = 3,           /* archives in archives */
    ARCHIVE_DEPTH = 24,            /* folders in folders */
};

/* True where a file's name says that it is an archive that can be unpacked. */
bool archive_is_named(const char *name);

/* Unpacks into `folder`, which is empty and nobody else's. An archive within becomes a folder of
 * its name without the suffix. GRADER_BAD_INPUT where the file is no archive, GRADER_FAILED where
 * the disk is full, GRADER_INTERRUPTED once `interrupt_fd` (process_interrupts, or -1) is readable.
 */
enum grader_status archive_unpack(const char *path, const char *folder, int interrupt_fd,
                                  struct notes *notes, struct diag *diag);

/* True where an archive lies in the folder or below it. */
bool archive_is_below(const char *folder);

/* The same for a folder that has archives in it, `path`: copies it into `folder`, where they are
 * unpacked; `path` stays as it is. */
enum grader_status archive_unpack_folder(const char *path, const char *folder, int interrupt_fd,
                                         struct notes *notes, struct diag *diag);
