/* A table of dates: when students handed in, as the instructor says. README.md of formats/
 * describes it. */
#ifndef GRADER_CLASS_DATES_H
#define GRADER_CLASS_DATES_H

#include <stddef.h>
#include <time.h>

#include "grader/workbook/target.h"

struct dates_entry {
    char *student;
    const struct workbook_lab *lab; /* NULL: all labs */
    time_t handed;
};

struct dates {
    struct dates_entry *entries;
    size_t n;
};

/* Reads a CSV file: a student's id, a time, and perhaps a lab in each line; a first line without a
 * time is a heading. GRADER_BAD_INPUT with file and line. dates_finish in each case. */
enum grader_status dates_read(const char *path, const struct workbook *book, struct dates *dates,
                              struct diag *diag);
void dates_finish(struct dates *dates);

/* When a student handed in a lab (by name); what is said of that lab goes before what is said of
 * all, and a later line before an earlier. 0: not known. */
time_t dates_find(const struct dates *dates, const char *student, const char *lab);

#endif
