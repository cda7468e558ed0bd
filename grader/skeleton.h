/*
 * A lab's file as it was before anybody worked on it: for `reset`, and for `verify` in a workbook
 * that is in use. It comes from git (the last commit), or, where the workbook is no clone, from a
 * copy in the build folder that the first command makes.
 */
#ifndef GRADER_SKELETON_H
#define GRADER_SKELETON_H

#include <stddef.h>

#include "grader/diag.h"
#include "grader/workbook.h"

struct skeleton {
    char *bytes; /* NUL-terminated; NULL where it is not to be had */
    size_t n_bytes;
    const char *origin; /* "git (HEAD)", "the copy of the first build" */
};

/* Reads the skeleton of a lab's file `source` ("sum_divergent.cu"). GRADER_FAILED, with the reason
 * in `diag`, where there is none. skeleton_finish either way. */
enum grader_status skeleton_read(const struct workbook *book, const struct workbook_lab *lab,
                                 const char *source, struct skeleton *skeleton, struct diag *diag);
void skeleton_finish(struct skeleton *skeleton);

/* Keeps a copy of each lab's CUDA files, where there is none yet and no git to ask. Best effort. */
void skeleton_keep_all(const struct workbook *book);

#endif
