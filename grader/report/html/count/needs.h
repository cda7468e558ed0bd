/* Who needs help first, and why: by rules that the page tells, from what the records hold. */
#pragma once

#include "grader/report/html/count/insight.h"

/* The rules, the most urgent first. A student can have several reasons. */
enum need {
    NEED_NOTHING_PASSES, /* labs are begun, and none of them passes */
    NEED_SAME_MISTAKE,   /* one known mistake in two labs or more */
    NEED_NOTHING_BEGUN,  /* each lab is missing, or the skeleton without a point */
    NEED_BEHIND,         /* labs are not begun that more than half of the class has begun */
    NEED_FEW_POINTS,     /* less than half of the class's median */
    N_NEEDS,             /* none of these */
};

struct needs_student {
    size_t student; /* index */
    enum need first;
    bool has[N_NEEDS];
    double share;        /* of all points, 0 to 1; more than 1 where it is not known */
    const char *mistake; /* the id of the one in most labs */
};

struct needs {
    struct needs_student *list; /* who has a reason, in order */
    size_t n;
    size_t *n_begun; /* students who have begun each lab */
    const struct scored_student *students;
    size_t n_students;
    const struct insight *insight;
};

/* Borrows from the students and the insight. */
void needs_make(struct needs *needs, const struct insight *insight,
                const struct scored_student *students, size_t n);
void needs_finish(struct needs *needs);

/* The lab is begun: something passes, or fails that is not the skeleton. False too where that is
 * not known. */
bool needs_is_begun(const struct scored_student *student, const char *lab);
/* The lab is missing, or the skeleton without a point. */
bool needs_is_untouched(const struct scored_student *student, const char *lab);
/* What the lab says of the mistake, where a test of it failed by that; else NULL. */
const char *needs_mistake(const struct scored_lab *lab, const char *id);
/* More than half of the class has begun it. */
bool needs_most_began(const struct needs *needs, size_t lab);
