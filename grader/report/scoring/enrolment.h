/*
 * Who is in the course: the instructor's table of people (--roster; README.md of report/ describes
 * its columns), by which students of several exports become one, and what each is allowed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "common/base/text.h"

/* Texts are "" where the table has none. */
struct person {
    char *id; /* of nobody else */
    char *name, *email, *section;
    char *login;       /* Canvas's SIS Login ID */
    char *canvas;      /* Canvas's number of the user, also "anon_x1y2z", with blanks between */
    char *moodle;      /* numbers as a participant, with blanks between: one an assignment */
    char *graded;      /* of Moodle's worksheet: when it was graded last, as it stands there */
    char *group;       /* of people who hand in together */
    double extra_days; /* after each due date */
    time_t until;      /* no lab is due before; 0: not said */
};

struct enrolment {
    struct person *people; /* in the order of the table */
    size_t n;
    bool has_canvas; /* the table has that column */
};

/* Reads the table. GRADER_BAD_INPUT with file and line. enrolment_finish in each case. */
enum grader_status enrolment_read(const char *path, struct enrolment *enrolment, struct diag *diag);
void enrolment_finish(struct enrolment *enrolment);

/* Where an id comes from. */
enum enrolment_source {
    ENROLMENT_ANY, /* not known */
    ENROLMENT_CANVAS,
    ENROLMENT_MOODLE,
    ENROLMENT_OTHER, /* the school's own: Gradescope's, a folder's name */
};

/* Whose id and name these are; NULL where they are nobody's, or could be those of two. Canvas's
 * numbers are a person's for good; Moodle's are another in each assignment, so that the name has to
 * agree, too. Where the table has no number of that system for a person, a name that only one
 * person has is enough: in any order of its words, since Canvas and Moodle turn names around. */
const struct person *enrolment_find(const struct enrolment *enrolment, enum enrolment_source source,
                                    const char *id, const char *name);

/* True where the id is somebody's as that system knows it, so that no name alone decides. */
bool enrolment_has_number(const struct enrolment *enrolment, enum enrolment_source source,
                          const char *id, const char *name);

/* The id of somebody who is not in the table: another one where it is that of a person. The caller
 * frees it. */
char *enrolment_strangers_id(const struct enrolment *enrolment, const char *id);

/* By the table's own id; NULL where there is none. */
const struct person *enrolment_by_id(const struct enrolment *enrolment, const char *id);

/* By how many seconds a lab is due later for the person (NULL: 0) than `due`, 0 for one never due.
 */
time_t person_extension(const struct person *person, time_t due);
