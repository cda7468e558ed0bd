/* Which files belong to the workbook: those that git tracks, and those that a lab may have. */
#pragma once

#include "common/base/system/process.h"
#include "grader/workbook/target.h"

/* Asks git for the files below a folder that it tracks. True where it names any: run->output has
 * their paths below the folder, each followed by a NUL, and another NUL at the end. Else it has
 * what git said, or is NULL where there is no git (PROCESS_NOT_STARTED). The caller frees it. */
bool files_tracked(const char *folder, int interrupt_fd, struct process_result *run);

/* The path of a file in labs/NN-name or solutions/NN-name that does not belong there, which the
 * caller frees; NULL where there is none. In a clone only the files that git tracks are checked, so
 * editors and students may leave others. */
char *files_find_unexpected(const struct workbook *book, const struct target *target);

/* The first place in them, "FILE:LINE", that still says BLANK, as in a new lab; the caller frees
 * it. NULL where there is none. */
char *files_find_blank(const struct workbook *book, const struct target *target);
