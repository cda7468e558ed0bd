/*
 * The store: what students handed in, by content, under BUILD/class/. A file is read once, by its
 * true path, and then is nobody's: it cannot change while it is graded, equal files are one, and
 * its path is the same on the next run.
 */
#ifndef GRADER_CLASS_STORE_H
#define GRADER_CLASS_STORE_H

#include <jansson.h>

#include "common/base/diag.h"
#include "common/base/digest.h"

/* Reads `path`, which lies below the folder `root`, without following a link on the way, and keeps
 * it as BUILD/class/SHA256/NAME. `stored` is that path, which the caller frees. GRADER_BAD_INPUT
 * with a sentence for what is no source text: too large, binary, not UTF-8, empty. GRADER_FAILED
 * where it cannot be kept. */
enum grader_status store_take(const char *build, const char *root, const char *path,
                              const char *name, char sha256[DIGEST_TEXT], char **stored,
                              struct diag *diag);

/* Puts `to` in the place of `from` wherever it is in a document's texts. */
void store_rename(json_t *document, const char *from, const char *to);

/* Takes the names of nvcc's temporary files out of a text: "/…/tmpxft_1f_0-6_x.o" becomes "x.o".
 * The caller frees it. */
char *store_tidy(const char *text);

#endif
