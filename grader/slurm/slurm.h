/* `grade --slurm`: the open work of a class, done by a Slurm cluster. */
#pragma once

#include "grader/class/plan.h"
#include "grader/class/show.h"

/* Grades the open work on other machines, as scheduler_run does on this one: submits it as an array
 * of tasks, or goes on with the array that an earlier run submitted, follows it, and takes the
 * results in. The array's files lie in JOURNAL.slurm. Where the program is interrupted, the array
 * goes on. */
enum grader_status slurm_work(struct plan *plan, const char *journal, struct show *show,
                              struct diag *diag);
