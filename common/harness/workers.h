/*
 * Workers on a GPU that the tests of one process hand on. A driver makes the contexts of all its
 * processes one after the other, each in a fifth of a second or more, while most tests need but
 * milliseconds of it: with a context for each test, a class waits for nothing else.
 *
 * A worker is handed on after a test that found nothing wrong. A test that fails in one that was
 * handed on is run again in one of its own, so that what a test says never comes from another.
 */
#ifndef CHECK_WORKERS_H
#define CHECK_WORKERS_H

#include "common/harness/lab.h"

struct lab_workers {
    struct call_worker *student; /* at rest between two tests; NULL for none */
    struct call_worker *clean;   /* has never seen the student's code; NULL for none */
};

/* The clean one, opened with the first use. Ends the test when there is no memory for it. */
struct call_worker *lab_workers_clean(struct lab *lab);

/* The student's, now the lab's: as a test before left it, or a new one. Ends the test when there is
 * no memory for it. */
struct call_worker *lab_workers_take(struct lab *lab);

/* Takes the lab's worker back where the next test may have it, else closes it. The verdict is that
 * of the test's result; NULL where there is none. */
void lab_workers_give(struct lab *lab, const char *verdict);

/* True where a test may have ended in this way by what it was handed. */
bool lab_workers_doubt(const struct lab *lab, const char *verdict);

void lab_workers_close(struct lab_workers *workers);

#endif
