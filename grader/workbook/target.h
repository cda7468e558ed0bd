/* What is to be graded: which file for which lab. */
#pragma once

#include <stddef.h>

#include "grader/workbook/manifest.h"
#include "grader/workbook/workbook.h"

struct target {
    const struct workbook_lab *lab;
    struct manifest *manifest; /* NULL where it is broken: `diag` says how */
    struct diag diag;
    char *source; /* path of the student's file, as somebody in the current folder writes it */
};

struct targets {
    struct target *items;
    size_t n;
};

/* The student's own work in labs/: of the lab that `argument` means, or of all (NULL). */
enum grader_status targets_own(const struct workbook *book, const char *argument,
                               struct targets *targets, struct diag *diag);

/* What lies at `path`: a tree laid out like labs/ or with labs/ in it, the folder of one lab, or
 * one file. */
enum grader_status targets_at(const struct workbook *book, const char *path,
                              struct targets *targets, struct diag *diag);

/* Adds a lab's file by path; takes `source`. */
struct target *targets_add(struct targets *targets, const struct workbook_lab *lab, char *source);

void targets_finish(struct targets *targets);
