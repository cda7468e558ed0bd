/* The script of a task: grades one part with this same grader. */
#ifndef GRADER_SLURM_SCRIPT_H
#define GRADER_SLURM_SCRIPT_H

#include "grader/grade/session.h"

/* Writes FOLDER/task; the parts will lie in `parts` when it runs. */
enum grader_status script_write(const char *folder, const char *parts,
                                const struct session *session, struct diag *diag);

/* Processors that a task asks for, and pieces of work that it does at once. */
int script_jobs(const struct options *options);

#endif
