/* What a class's reports say together: distributions, mistakes, tests. */
#pragma once

#include "grader/report/scoring/scored.h"

/* Numbers in ascending order. */
struct insight_numbers {
    double *items;
    size_t n;
};

struct insight_lab {
    const char *name, *title;
    points_t max_points; /* the most that it is worth to anybody */
    size_t n_passed, n_wrong, n_missing, n_ungraded;
    struct insight_numbers shares; /* of its points, 0 to 1; of each who handed in */
};

/* A known mistake, and who made it. */
struct insight_mistake {
    size_t lab;
    const char *text;
    size_t *students; /* indices */
    size_t n;
};

struct insight_test {
    size_t lab;
    const char *name, *claim;
    size_t n_failed; /* where it tells of the cause; not where it fails because another does */
    size_t n_run;
};

struct insight {
    struct insight_lab *labs; /* by name */
    size_t n_labs;
    struct insight_mistake *mistakes; /* what most made first */
    size_t n_mistakes;
    struct insight_test *tests; /* what most failed first; only what somebody did */
    size_t n_tests;
    struct insight_numbers shares; /* of all points; of each who is graded */
};

/* Borrows from the students. */
void insight_make(struct insight *insight, const struct scored_student *students, size_t n);
void insight_finish(struct insight *insight);

/* The value that this part of the numbers is below, 0 to 1; 0.5 is the median. 0 of none. */
double insight_quantile(const struct insight_numbers *numbers, double part);
double insight_mean(const struct insight_numbers *numbers);
