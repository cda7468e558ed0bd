/* Grades the open work of a class, several files at once, and collects the results; then, where
 * asked to, looks for the causes of what failed. */
#pragma once

#include "grader/class/plan.h"
#include "grader/class/show.h"

/* Takes each result in, whether this machine or a cluster graded the file: writes it into the
 * journal, then into the plan, and shows each student who has no open work left. */
struct collector {
    struct plan *plan;
    struct show *show;
    size_t *n_left; /* open work of each student */
};

/* Counts what is open, and shows the students who wait for nothing. */
void collector_init(struct collector *collector, struct plan *plan, struct show *show);
void collector_finish(struct collector *collector);

/* Keeps a result in the journal, by the work's key; leaves the plan alone. GRADER_FAILED where that
 * cannot be written. May be called from several threads. */
enum grader_status collector_keep(const struct collector *collector, const struct plan_work *work,
                                  const json_t *record, struct diag *diag);

/* Takes the result of open work into the plan, after collector_keep. */
void collector_result(struct collector *collector, struct plan_work *work, const json_t *record);
/* The work failed by no fault of its own; takes `reason`. */
void collector_failure(struct collector *collector, struct plan_work *work, char *reason);

/* Grades all open work. Each result is in the journal before it is shown; each student is shown
 * with their last result. Work at which the grader or the machine fails is tried twice.
 * GRADER_FAILED where the journal cannot be written, which ends the run; GRADER_INTERRUPTED. */
enum grader_status scheduler_run(struct plan *plan, struct show *show, struct diag *diag);

/* Runs each file that failed once more, with experiments, and keeps in the journal what they prove;
 * not those of which that is known. One line says how many files that was. To be called once all
 * is graded. GRADER_FAILED where the journal cannot be written; GRADER_INTERRUPTED. */
enum grader_status scheduler_find_causes(struct plan *plan, struct diag *diag);
