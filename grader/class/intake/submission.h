/* A submission: the files of labs among what one student handed in, a folder or files by name. */
#pragma once

#include <sys/stat.h>

#include "grader/class/intake/map.h"
#include "grader/class/intake/roster.h"

/* Looks through a student's folder, laid out like labs/ or not at all. `shown` is how the folder is
 * called in what is reported. `map` may be NULL; `is_late`: so says what the folder came as. */
void submission_read(const char *folder, const char *shown, const struct targets *labs,
                     const struct map *map, bool is_late, struct roster_student *student);

/* One file. */
struct submission_file {
    const char *path, *shown;
    const char *name; /* that the student gave it */
    unsigned depth;   /* folders above it */
    bool is_late;
    const struct stat *status;
};

/* Adds a file: to the lab that the map or a guess says it is for, else to those of no lab. */
void submission_add(const struct submission_file *file, const struct targets *labs,
                    const struct map *map, struct roster_student *student);

/* Notes what is odd about the whole: what was taken for a lab's file and why, what could not be,
 * nothing handed in at all. To be called once all students are read. */
void submission_end(const struct targets *labs, const struct roster *class,
                    struct roster_student *student);

/* True where two files can be read and have the same bytes. */
bool submission_is_same(const struct roster_file *one, const struct roster_file *other);

/* True where a folder has files of labs, or folders named like labs: it is a student's own. */
bool submission_is_one(const char *folder, const struct targets *labs);
