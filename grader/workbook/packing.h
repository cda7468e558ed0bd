/*
 * Which files of the workbook go out: into the autograder's zip, into the students' edition. A file
 * does where a manifest has its path and, in a checkout, git tracks it: instructors keep journals,
 * grades and students' files in the workbook's folder.
 */
#pragma once

#include "common/base/system/process.h"
#include "grader/workbook/workbook.h"

struct packing {
    char **names; /* paths below the workbook, of regular files */
    size_t n;
};

/* Finds the files that a manifest names: MANIFEST (a path below the workbook) has an extended
 * regular expression a line, for whole paths; empty lines and those with # are none. Links are left
 * out. GRADER_BAD_INPUT where git tracks no lab.yaml of a lab, GRADER_INTERRUPTED once
 * `interrupt_fd` is readable. packing_finish either way. */
enum grader_status packing_find(struct packing *packing, const struct workbook *book,
                                const char *manifest, int interrupt_fd, struct diag *diag);
void packing_finish(struct packing *packing);

/* Runs `git -C FOLDER WORDS`, at most 8 words, in an environment where these settings (NAME=VALUE)
 * take the place of all GIT_…; a minute at most. True where it ends well. `run` has what it said;
 * the caller frees run->output. There is no git where it stays PROCESS_NOT_STARTED. */
bool packing_git(const char *folder, const char *const *words, size_t n_words,
                 char *const *settings, size_t n_settings, int interrupt_fd,
                 struct process_result *run);

/* Asks git for the files below a folder that it tracks. True where it names any: run->output has
 * their paths below the folder, each followed by a NUL, and another NUL at the end. Else it has
 * what git said, or is NULL where there is no git (PROCESS_NOT_STARTED). The caller frees it. */
bool packing_tracked(const char *folder, int interrupt_fd, struct process_result *run);
