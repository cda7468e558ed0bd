/* Which files belong to a lab. */
#pragma once

#include "grader/workbook/target.h"

/* The path of a file in labs/NN-name or solutions/NN-name that does not belong there, which the
 * caller frees; NULL where there is none. In a clone only the files that git tracks are checked, so
 * editors and students may leave others. */
char *files_find_unexpected(const struct workbook *book, const struct target *target);

/* The first place in them, "FILE:LINE", that still says BLANK, as in a new lab; the caller frees
 * it. NULL where there is none. */
char *files_find_blank(const struct workbook *book, const struct target *target);
