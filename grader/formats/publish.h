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
    json_t *head;        /* of a class's document, or NULL */
    struct scored_student *students;
    size_t n;
};

/* Reads what the options name. publish_finish in each case. */
enum grader_status publish_begin(struct publication *publication, const struct options *options,
                                 const struct workbook *book, struct diag *diag);

/* What is known of the class as a whole: its document without its students. */
void publish_head(struct publication *publication, const json_t *head);

/* Adds a student as a class's document has them: `id` and `labs`, and where it is known `name`,
 * `modified`, `late` and `notes`. An id that is taken gets a number. */
enum grader_status publish_student(struct publication *publication, const json_t *student,
                                   struct diag *diag);
/* The same where nothing is known of a student but the labs. */
enum grader_status publish_labs(struct publication *publication, const char *id, const json_t *labs,
                                struct diag *diag);

/* Writes it: to --output, a folder where there are several documents, or to stdout. GRADER_FAILED
 * where something could not be graded: all else is written all the same. `diag` says what was
 * wrong. */
enum grader_status publish_end(struct publication *publication, struct diag *diag);

void publish_finish(struct publication *publication);

#endif
