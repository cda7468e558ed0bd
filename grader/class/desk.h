/* The desk: where a class's open pieces of work are done, several at once. */
#ifndef GRADER_CLASS_DESK_H
#define GRADER_CLASS_DESK_H

#include "grader/class/plan.h"
#include "grader/class/show.h"

/* Does all open work, puts each result into the journal before it counts, and shows each student
 * whose last piece is done. What our side fails at is tried twice, then noted. GRADER_FAILED where
 * the journal cannot be written, which ends it; GRADER_INTERRUPTED. */
enum grader_status desk_work(struct plan *plan, struct show *show, struct diag *diag);

#endif
