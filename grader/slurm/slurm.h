/* `grade --slurm`: the open work of a class, done by a Slurm cluster. */
#ifndef GRADER_SLURM_SLURM_H
#define GRADER_SLURM_SLURM_H

#include "grader/class/plan.h"
#include "grader/class/show.h"

/* Does what scheduler_run does, on other machines: submits all open work as an array of tasks, or
 * goes on with an array that an earlier run left behind, follows it, and takes the results in. What
 * is under way lies in JOURNAL.slurm. Interrupted, it leaves the array at work. */
enum grader_status slurm_work(struct plan *plan, const char *journal, struct show *show,
                              struct diag *diag);

#endif
