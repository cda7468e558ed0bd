/* Where a lab has its files, and the lists that name it: what `remove` takes out. */
#pragma once

#include "common/base/system/folder.h"
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

/* The names of labs of which something is left and which are none: no labs/NN-name/lab.yaml. The
 * caller hands the list to folder_finish. */
void belongings_left(const struct workbook *book, struct folder *names);

/* What is there of a lab: "solutions/04-scan, handouts/04-scan.md, 2 lines of lists"; the caller
 * frees it. */
char *belongings_text(const struct workbook *book, const char *lab);

/* True where any file, folder or line of a lab of this name is there. */
bool belongings_has(const struct workbook *book, const char *lab);
