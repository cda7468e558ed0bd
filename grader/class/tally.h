/* What happens when a piece of work has a result, wherever it was done: the journal gets it, with
 * all whose it is, and whoever waited for it alone is shown. */
#ifndef GRADER_CLASS_TALLY_H
#define GRADER_CLASS_TALLY_H

#include "grader/class/plan.h"
#include "grader/class/show.h"

struct tally {
    struct plan *plan;
    struct show *show;
    size_t *n_left; /* open work of each student */
};

/* Counts what is open, and shows the students who wait for nothing. */
void tally_init(struct tally *tally, struct plan *plan, struct show *show);
void tally_finish(struct tally *tally);

/* Keeps a result in the journal, by the work's key; leaves the plan alone. GRADER_FAILED where that
 * cannot be written. May be called from several threads. */
enum grader_status tally_keep(const struct tally *tally, const struct plan_work *work,
                              const json_t *record, struct diag *diag);

/* Takes the result of open work into the plan, after tally_keep. */
void tally_result(struct tally *tally, struct plan_work *work, const json_t *record);
/* The work failed by no fault of its own; takes `reason`. */
void tally_failure(struct tally *tally, struct plan_work *work, char *reason);

#endif
