/*
 * The store: what students handed in, by content, under BUILD/class/. A file is read once, by its
 * true path, and graded from its copy there: so it cannot change while it is graded, equal files
 * are graded once, and the path is the same on the next run. Also what is kept of a file's record.
 */
#pragma once

#include <jansson.h>

#include "common/base/digest.h"
#include "common/base/text.h"

/* Reads `path`, which lies below the folder `root`, without following a link on the way, and keeps
 * it as BUILD/class/SHA256/NAME. `stored` is that path, which the caller frees. GRADER_BAD_INPUT
 * with a sentence for what is no source text: too large, binary, not UTF-8, empty. GRADER_FAILED
 * where the machine cannot read or keep it. */
enum grader_status store_take(const char *build, const char *root, const char *path,
                              const char *name, char sha256[DIGEST_TEXT], char **stored,
                              struct diag *diag);

/* Leaves in a record what a class needs, and what is the same wherever and whenever the file is
 * graded, but for times: the file is called `name`, and not by its path in the store. */
void store_settle(json_t *record, const char *stored, const char *name);

/* Takes the names of nvcc's temporary files out of a text: "/…/tmpxft_1f_0-6_x.o" becomes "x.o".
 * The caller frees it. */
char *store_tidy(const char *text);
