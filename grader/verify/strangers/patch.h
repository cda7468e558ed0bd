/* Unified diffs of one file, as `diff -u` writes them. */
#pragma once

#include <stdbool.h>

#include "common/base/text.h"

struct patch {
    char *text;      /* the file with the changes made */
    char *changed;   /* the lines that went and that came, one below the other */
    unsigned *lines; /* numbers in the old file: that went, or beside which one came */
    unsigned n_lines;
    unsigned *gaps; /* those of them behind which something came and nothing went */
    unsigned n_gaps;
};

/* Makes the changes that `diff` says to `text`. A hunk may stand some lines from where it says, but
 * its lines must be there as they are. False with a reason in `diag`, its file being `name`;
 * patch_finish in each case. */
bool patch_apply(struct patch *patch, const char *text, const char *diff, const char *name,
                 struct diag *diag);
void patch_finish(struct patch *patch);
