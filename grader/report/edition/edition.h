/* The workbook as students get it: without solutions, mistakes, variants, and authors' tools. */
#pragma once

#include "grader/session/session.h"

struct edition {
    size_t n_files, n_labs; /* what was written */
};

/* True where an edition can be written to PATH: nothing is there, or an empty folder, the folder
 * above it is there, and it lies outside the workbook. Else GRADER_BAD_INPUT, with the reason. */
enum grader_status edition_check(const struct workbook *book, const char *path, struct diag *diag);

/* Writes the folder PATH, whole or not at all: it is made beside it, under another name. `is_git`:
 * as a repository of one commit. Runs the model answers, for what they count. GRADER_FAILED, with
 * file and line, where a file that was to go out has a piece of an answer in it (leaks.h). */
enum grader_status edition_write(const struct session *session, const char *path, bool is_git,
                                 struct edition *edition, struct diag *diag);
