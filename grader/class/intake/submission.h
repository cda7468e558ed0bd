/* A submission: the files of labs among what one student handed in, a folder or files by name. */
#pragma once

#include <sys/stat.h>

#include "grader/class/intake/roster.h"

/* Looks through a student's folder, laid out like labs/ or not at all. `shown` is how the folder is
 * called in what is reported. */
void submission_read(const char *folder, const char *shown, const struct targets *labs,
                     struct roster_student *student);

/* Adds one file that the student called `name`, where that is a lab's source. */
void submission_add(const char *path, const char *shown, const char *name, unsigned depth,
                    bool is_late, const struct stat *status, const struct targets *labs,
                    struct roster_student *student);

/* Notes what is odd about the whole: nothing handed in at all. */
void submission_end(const struct targets *labs, struct roster_student *student);

/* True where a folder has files of labs, or folders named like labs: it is a student's own. */
bool submission_is_one(const char *folder, const struct targets *labs);
