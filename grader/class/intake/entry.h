/* An archive's entry: its name made into a path below one folder, or refused. */
#ifndef GRADER_CLASS_ENTRY_H
#define GRADER_CLASS_ENTRY_H

#include <archive_entry.h>
#include <stdbool.h>

#include "common/base/diag.h"

/* The name as bytes, whatever they are; "" where there is none. */
const char *entry_name(struct archive_entry *entry);

/* The relative path for a name, each part clean (name_clean); NULL, with a sentence, for one that
 * is absolute, leads upwards, is empty or deeper than `max_depth`. The caller frees it. */
char *entry_path(const char *name, unsigned max_depth, bool *is_changed, struct diag *diag);

/* The paths that an archive had so far. */
struct entry_names {
    void *tree;
};

/* Remembers a path; false where it was there. */
bool entry_is_first(struct entry_names *names, const char *path);
void entry_names_finish(struct entry_names *names);

/* Makes the folders of a path below `folder_fd`, and a new file there: its descriptor, or -1. */
bool entry_make_folders(int folder_fd, const char *path);
int entry_open(int folder_fd, const char *path);

#endif
