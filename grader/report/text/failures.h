/*
 * What failed in a lab, as a student is told of it: one failure for all tests that failed for the
 * same reason; first what is wrong, then what could not be judged, last what is not written yet;
 * within these by TODO.
 */
#pragma once

#include "grader/report/text/render.h"

struct failure {
    const json_t *test; /* the one that tells, of the smallest case */
    size_t n_tests;     /* that failed so */
    size_t first;       /* place of the first of them in the record */
    json_int_t todo;    /* the first TODO region that they ask for; 0 where none is known */
};

struct failures {
    const json_t *tests; /* the record's */
    struct failure *items;
    size_t n, n_wrong; /* the first n_wrong of them are not merely not written yet */
};

/* Borrows from the record of the lab. */
void failures_init(struct failures *failures, const json_t *lab);
void failures_finish(struct failures *failures);

/* True where a test failed for this reason, too (or is the one that tells). `is_elsewhere` becomes
 * true where it may be the same mistake in another place. */
bool failures_share(const struct failure *failure, const json_t *test, bool *is_elsewhere);

/* One failure, cut where it does not fit into so many lines, and a line for each of the others. */
void render_focus(const struct render *render, const json_t *lab);
/* How many failures `focus` can go through: those that are not merely not written yet. */
size_t failures_count(const json_t *lab);
