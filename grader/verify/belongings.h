/* Where a lab has its files, and the lists that name it: what `remove` takes out. */
#pragma once

#include "grader/workbook/workbook.h"

/* Files and folders, below the workbook: its folder, its solutions, its handout and the facts of
 * that. */
enum { BELONGINGS = 4 };

/* The path of one of them, absolute, or below the workbook; the caller frees it. */
char *belongings_path(const struct workbook *book, const char *lab, size_t place);
char *belongings_name(const char *lab, size_t place);

/* The number of lines in lists of Meson that name a lab. `is_struck`: they are taken out. */
enum grader_status belongings_lines(const struct workbook *book, const char *lab, bool is_struck,
                                    size_t *n_lines, struct diag *diag);

/* True where any file, folder or line of a lab of this name is there. */
bool belongings_has(const struct workbook *book, const char *lab);
