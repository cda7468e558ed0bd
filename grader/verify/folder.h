/* What may lie in the folders of a lab. */
#ifndef GRADER_FOLDER_H
#define GRADER_FOLDER_H

#include "grader/workbook/target.h"

/* The path of something in labs/NN-name or solutions/NN-name that does not belong there, which the
 * caller frees; NULL where there is none. In a clone, only what git keeps is looked at: editors and
 * students may leave what they like. */
char *folder_find_stranger(const struct workbook *book, const struct target *target);

/* The first place in them, "FILE:LINE", that still says BLANK, as in a new lab; the caller frees
 * it. NULL where there is none. */
char *folder_find_blank(const struct workbook *book, const struct target *target);

#endif
