/*
 * The ranks of a lab: by speed where a GPU timed it, else by what its tests count on the simulator.
 * Ranked is who passed all tests but those of speed, and has each number that most of these have.
 * What is alike to a whole per cent (of times) or a tenth of one (of counts) has one rank.
 */
#pragma once

#include "grader/report/scoring/scored.h"

enum ranking_by {
    RANKING_COPY,   /* the share of the GPU's own copy; more is better */
    RANKING_MODEL,  /* of the model answer's speed, where it is not bytes that count */
    RANKING_COUNTS, /* of what the tests allow, of all that they count; less is better */
};

/* What is measured or counted of each. */
struct ranking_column {
    const char *name;
    double *values; /* of each student, 1 is 100 per cent; below 0: there is none */
};

struct ranking_entry {
    size_t student; /* index */
    double score;   /* the mean of the columns in per cent, rounded */
    size_t rank;    /* from 1 */
    const char *label;
};

struct ranking {
    enum course_board shown; /* COURSE_OFF: there is no ranking */
    enum ranking_by by;
    struct ranking_column *columns;
    size_t n_columns;
    struct ranking_entry *list; /* the best first; of one rank by label */
    size_t n;
    char **pseudonyms; /* of each student, where they are shown; else NULL */
    size_t n_students; /* of the class */
};

/* Borrows from the students. */
void ranking_make(struct ranking *ranking, const struct course *course, const char *lab,
                  const struct scored_student *students, size_t n);
void ranking_finish(struct ranking *ranking);

/* A student's entry, or NULL. */
const struct ranking_entry *ranking_of(const struct ranking *ranking, size_t student);
