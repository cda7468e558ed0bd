/* A report in the making: students come one by one, and are written by a format. */
#ifndef GRADER_FORMATS_PUBLISH_H
#define GRADER_FORMATS_PUBLISH_H

#include "grader/formats/format.h"
#include "grader/options.h"
#include "grader/workbook.h"

struct publication {
    const struct options *options; /* --format, --output, --course, --handed-in */
    const struct format *format;
    struct course *course;
    struct targets labs; /* the workbook's */
    struct scored_student *students;
    size_t n;
};

/* Reads what the options name. publish_finish in each case. */
enum grader_status publish_begin(struct publication *publication, const struct options *options,
                                 const struct workbook *book, struct diag *diag);

/* Adds a student: lab records, and when each was handed in (an object, or NULL). An id that is
 * taken gets a number. */
enum grader_status publish_student(struct publication *publication, const char *id,
                                   const char *name, const json_t *labs, const json_t *handed,
                                   struct diag *diag);

/* Writes it: to --output, a folder where there are several documents, or to stdout. GRADER_FAILED
 * where something could not be graded: all else is written all the same. `diag` says what was
 * wrong. */
enum grader_status publish_end(struct publication *publication, struct diag *diag);

void publish_finish(struct publication *publication);

#endif
