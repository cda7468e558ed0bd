/* Who the students of a class are: what is of one student becomes one row, by the names in exports
 * and by the enrolment. */
#pragma once

#include "grader/class/intake/roster.h"

/* Whose a submission is, as its name or Gradescope's metadata say. */
struct claim {
    enum enrolment_source source;
    const char *id, *name;
    const char *place;  /* the file or folder */
    const char *system; /* "canvas", "moodle", "gradescope", or NULL: a folder of no system's */
    bool is_joined;     /* everything of one id is one student's */
    bool has_export_id; /* the id means something in this export alone */
    unsigned export;    /* the number of that, from 1 */
};

/* Finds or adds the student whom a file or folder belongs to. Canvas numbers its users for good,
 * Moodle in each assignment anew: what has one number is one student's, where it has one name. A
 * person of the enrolment (which may be NULL) has that one's id. */
struct roster_student *people_owner(struct roster *roster, const struct enrolment *enrolment,
                                    const struct claim *claim);

/* Adds a student, whose id nobody has; a name that is cleaned is noted. */
struct roster_student *people_add(struct roster *roster, const char *id, const char *name);

/* By id; NULL where there is none. */
struct roster_student *people_find(struct roster *roster, const char *id);

/* Gives each group what one of it handed in, adds who handed in nothing, and notes who that is, and
 * who is in no enrolment. GRADER_BAD_INPUT where nobody who handed in is in it. */
enum grader_status people_settle(struct roster *roster, const struct intake *intake,
                                 struct diag *diag);
