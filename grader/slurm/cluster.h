/* Slurm by its own programs: sbatch, which submits an array of tasks, and squeue, which tells how
 * they stand. Nothing is linked; whatever cluster these two on PATH know is the one that is meant.
 */
#pragma once

#include <stddef.h>

#include "common/base/text.h"

struct cluster {
    char *sbatch, *squeue; /* paths */
    int interrupt_fd;
};

/* What is asked for. Strings are borrowed; NULL where the cluster's default is right. */
struct cluster_job {
    const char *name;   /* of this job alone */
    const char *folder; /* on all nodes; task K runs in it, and writes to FOLDER/K/log */
    const char *script; /* gets SLURM_ARRAY_TASK_ID, from 0 */
    size_t n_tasks;
    int cpus; /* of a task */
    const char *gres, *partition, *time;
};

struct cluster_task {
    enum { CLUSTER_OVER, CLUSTER_WAITS, CLUSTER_RUNS } how; /* over: also when Slurm forgot it */
    char word[32];    /* Slurm's: "RUNNING", "TIMEOUT"; or "" */
    char reason[160]; /* why it waits, in Slurm's word, or "" */
};

/* GRADER_FAILED where the programs are not on PATH. cluster_finish in each case. */
enum grader_status cluster_find(struct cluster *cluster, int interrupt_fd, struct diag *diag);
void cluster_finish(struct cluster *cluster);

/* Submits a job whose tasks are put back into the queue when their node is lost. `id` is Slurm's
 * number. GRADER_FAILED with Slurm's words. */
enum grader_status cluster_submit(const struct cluster *cluster, const struct cluster_job *job,
                                  char id[32], struct diag *diag);

/* How the `n` tasks of the job of this name stand. GRADER_FAILED where Slurm does not answer. */
enum grader_status cluster_ask(const struct cluster *cluster, const char *name,
                               struct cluster_task *tasks, size_t n, struct diag *diag);
