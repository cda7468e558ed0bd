/*
 * The scored view: records as the course values them. Points, late rules, rounding and what
 * students may see are applied here and nowhere else, so that all formats agree:
 *
 *   points of a lab     = points of its tests + adjustment (late, rounding)
 *   points of a student = points of the labs that count
 *
 * A lab that the grader or the machine failed at has no points; so has a student with such a lab.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "grader/report/scoring/course.h"
#include "grader/report/scoring/enrolment.h"
#include "grader/report/text/pieces.h"

enum scored_outcome {
    SCORED_PASSED,
    SCORED_WRONG,   /* the code does not do what it should; or is not written yet */
    SCORED_BROKEN,  /* the code ended without an answer: crash, time-out, does not compile */
    SCORED_SKIPPED, /* could not run here; counts for nothing */
    SCORED_OURS,    /* the grader's or the machine's failure: says nothing of the code */
};

struct scored_test {
    char *name;              /* of no other test of the lab */
    char *claim;             /* what it asks for, or "" */
    char *verdict;           /* for a person: "wrong answer" */
    char *message;           /* the feedback: lines, or "" */
    struct pieces pieces;    /* the same of a test that failed, unless `message` is all; or none */
    char *expected, *actual; /* of the first mismatch, where that may be told; else NULL */
    enum scored_outcome outcome;
    points_t points, max_points;
    enum course_show show;
    json_t *diagnosis, *bench; /* of the record, or NULL */
    double seconds;
    unsigned line;   /* of the graded file, where a finding is; 0: not known */
    bool is_waiting; /* failed for no more than that its part is not written yet */
    /* By what it failed: a number from 1 in the order of telling, which tests that failed by one
     * cause share; 0: it did not fail, or is several. Of each number one test is the one to read,
     * and others may have the same mistake in another place. */
    size_t cause;
    bool tells, is_elsewhere;
};

struct scored_lab {
    char *name, *title;
    char *source;  /* what was handed in: its path in the export or the folder; or "" */
    char *column;  /* its heading in gradebooks */
    char *hints;   /* that the course shows, or "" */
    char *verdict; /* for a person: "not passed" */
    enum scored_outcome outcome;
    bool is_handed_in; /* there was a file, if only an unusable one */
    bool is_graded;    /* its points are known */
    bool has_tests;    /* its tests ran; else `tests` has one that says why not */
    points_t points, max_points;
    points_t adjustment; /* part of `points` */
    char *adjusted;      /* what for: "2 days late: 20 % off"; NULL where it is 0 */
    bool is_late;        /* by the course, or so marked */
    char *rules;         /* each rule that made the points what they are, a sentence a line; NULL */
    struct scored_test *tests;
    size_t n_tests, n_causes;
    double seconds;
    json_t *record; /* that it is of: for teachers, since nothing in it is hidden */
};

struct scored_student {
    char *id, *name;
    char *number; /* what `system` called the student last, or NULL: that is the id */
    char *system; /* "canvas", "moodle", "gradescope"; "" where nobody knows */
    const struct person *person; /* of the roster, or NULL */
    json_t *notes;               /* a list of sentences on what was odd, or NULL */
    json_t *doubts;              /* the same on whose it is, for teachers alone */
    struct scored_lab *labs;
    size_t n_labs;
    bool is_graded; /* each lab is */
    points_t points, max_points;
};

/* What scoring is done by. */
struct scoring {
    const struct course *course;
    const struct targets *labs;  /* the workbook's, for hints */
    bool is_shown_by_the_format; /* the format hides tests itself; else they become one here */
    bool is_for_teachers;        /* nothing is hidden */
    const struct person *person; /* whose extension counts; or NULL */
    time_t now;
};

/* Scores one student's labs. `records` are lab records, `handed` a JSON object from a lab's name to
 * when it was handed in (ISO 8601 or null), or NULL, `late` a list of labs that are marked as late,
 * or NULL. GRADER_BAD_INPUT where the records are none,
 * or name a lab or test twice. scored_finish in each case. */
enum grader_status scored_student(const struct scoring *scoring, const char *id, const char *name,
                                  const json_t *records, const json_t *handed, const json_t *late,
                                  struct scored_student *student, struct diag *diag);
/* Joins two rows of one student, of several records, and empties the second. GRADER_BAD_INPUT, with
 * both left as they are, where a lab was handed in and graded in both. */
enum grader_status scored_join(struct scored_student *student, struct scored_student *more,
                               struct diag *diag);

void scored_finish(struct scored_student *student);

/* A student's lab by its name; NULL where it is not among those that count. */
const struct scored_lab *scored_lab(const struct scored_student *student, const char *name);

/* Frees what one test has, not the test itself. */
void scored_free_test(struct scored_test *test);

/* Sets what a lab is worth to students for whom no test ran (nothing handed in, say): as much as to
 * the others of the class. */
void scored_level(struct scored_student *students, size_t n);
