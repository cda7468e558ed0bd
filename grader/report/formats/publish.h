/* A report in the making: students come one by one, and are written by a format. */
#pragma once

#include "grader/session/options.h"
#include "grader/report/formats/format.h"
#include "grader/report/scoring/handed_in.h"
#include "grader/workbook/workbook.h"

struct publication {
    const struct options *options; /* --format, --output, --course, --handed-in */
    const struct format *format;
    struct course *course;
    struct targets labs; /* the workbook's */
    struct dates dates;  /* when students handed in, where the instructor says it in a table */
    time_t handed;       /* when all did; 0: not said */
    struct enrolment enrolment; /* of --roster; nobody without */
    json_t *head;               /* of a class's document, or NULL */
    struct scored_student *students;
    size_t n;
};

/* Reads what the options name. publish_finish in each case. */
enum grader_status publish_begin(struct publication *publication, const struct options *options,
                                 const struct workbook *book, struct diag *diag);

/* When a student handed in a lab, by --handed-in or the course's table; 0: they do not say. Where
 * they have no line of the student's own, when `from` did, who handed it in for the group, or NULL.
 */
time_t publish_handed(const struct publication *publication, const char *student, const char *from,
                      const char *lab);

/* What is known of the class as a whole: its document without its students. */
void publish_head(struct publication *publication, const json_t *head);

/* Adds a student as a class's document has them: `id` and `labs`, and where it is known `name`,
 * `modified`, `late` and `notes`. An id that is taken gets a number, unless the two are one
 * student's, of several records: of one name (or both of the roster), and with no lab in both. */
enum grader_status publish_student(struct publication *publication, const json_t *student,
                                   struct diag *diag);
/* The same for a student out of a document that was written before: what --handed-in and the
 * course's table say goes before what it has of times, and the roster before its ids and names. */
enum grader_status publish_again(struct publication *publication, const json_t *student,
                                 struct diag *diag);
/* The same where nothing is known of a student but the labs. */
enum grader_status publish_labs(struct publication *publication, const char *id, const json_t *labs,
                                struct diag *diag);

/* Writes it: to --output, a folder where there are several documents, or to stdout. GRADER_FAILED
 * where something could not be graded: all else is written all the same. `diag` says what was
 * wrong. */
enum grader_status publish_end(struct publication *publication, struct diag *diag);

void publish_finish(struct publication *publication);
