/* Runs sbatch and squeue, and reads what they print. */
#include "grader/slurm/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"

enum { PROGRAM_MS = 120000, MAX_ARGUMENTS = 20 };

enum grader_status cluster_find(struct cluster *cluster, int interrupt_fd, struct diag *diag) {
    *cluster = (struct cluster){
        .sbatch = file_in_path("sbatch"),
        .squeue = file_in_path("squeue"),
        .interrupt_fd = interrupt_fd,
    };
    if (cluster->sbatch && cluster->squeue)
        return GRADER_OK;
    diag_set(diag, NULL, 0,
             "--slurm: there is no Slurm here: %s is not on PATH. Log in to a machine from which "
             "jobs are submitted, or grade without --slurm.",
             cluster->sbatch ? "squeue" : "sbatch");
    return GRADER_FAILED;
}

void cluster_finish(struct cluster *cluster) {
    free(cluster->sbatch);
    free(cluster->squeue);
}

/* Runs one of the programs; fails with what it said. The caller frees `output`. */
static enum grader_status run(const struct cluster *cluster, char **argv, char **output,
                              struct diag *diag) {
    struct process process = {
        .path = argv[0],
        .argv = argv,
        .timeout_ms = PROGRAM_MS,
        .interrupt_fd = cluster->interrupt_fd,
    };
    struct process_result result;
    process_run(&process, &result);
    *output = result.output;
    if (result.how == PROCESS_ENDED && result.exit_status == 0)
        return GRADER_OK;
    if (result.how == PROCESS_INTERRUPTED)
        return GRADER_INTERRUPTED;
    char *said = text_clean(result.output, strnlen(result.output, 500), false);
    diag_set(diag, NULL, 0, "%s failed: %s", argv[0], *said ? said : "it says nothing");
    free(said);
    return GRADER_FAILED;
}

enum grader_status cluster_submit(const struct cluster *cluster, const struct cluster_job *job,
                                  char id[32], struct diag *diag) {
    char *owned[] = {
        text_format("--job-name=%s", job->name),
        text_format("--chdir=%s", job->folder),
        text_format("--array=0-%zu", job->n_tasks - 1),
        text_format("--cpus-per-task=%d", job->cpus),
        text_format("--gres=%s", job->gres ? job->gres : ""),
        text_format("--partition=%s", job->partition ? job->partition : ""),
        text_format("--time=%s", job->time ? job->time : ""),
    };
    /* Each start of a requeued task appends to the same log. Paths are relative to --chdir, since
     * Slurm would replace a % in them. */
    char *argv[MAX_ARGUMENTS] = {cluster->sbatch,
                                 (char *)"--parsable",
                                 (char *)"--requeue",
                                 (char *)"--open-mode=append",
                                 (char *)"--ntasks=1",
                                 (char *)"--output=%a/log",
                                 (char *)"--export=ALL",
                                 owned[0],
                                 owned[1],
                                 owned[2],
                                 owned[3]};
    const char *const optional[] = {job->gres, job->partition, job->time};
    size_t n = 11;
    for (size_t i = 0; i < 3; i++) {
        if (optional[i])
            argv[n++] = owned[4 + i];
    }
    argv[n] = (char *)job->script;
    char *output = NULL;
    id[0] = '\0';
    enum grader_status status = run(cluster, argv, &output, diag);
    char *rest = output; /* warnings may stand before the number */
    for (char *line; status == GRADER_OK && (line = strsep(&rest, "\n"));)
        sscanf(line, "%31[0-9]", id);
    if (status == GRADER_OK && !*id) {
        diag_set(diag, NULL, 0, "sbatch gave no number of a job");
        status = GRADER_FAILED;
    }
    free(output);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    return status;
}

/* True where a task in this state has ended. A state that is not in the list, which a later Slurm
 * may bring, counts as running: the task has ended when squeue no longer lists it. */
static bool is_over(const char *word) {
    static const char *const words[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE",
                                        "FAILED",    "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY",
                                        "REVOKED",   "TIMEOUT"};
    return find_in_list(word, words, sizeof words / sizeof *words, sizeof *words);
}

enum grader_status cluster_ask(const struct cluster *cluster, const char *name,
                               struct cluster_task *tasks, size_t n, struct diag *diag) {
    char *of_name = text_format("--name=%s", name), *output = NULL;
    char *argv[] = {cluster->squeue,
                    of_name,
                    (char *)"--array",
                    (char *)"--noheader",
                    (char *)"--states=all",
                    (char *)"--format=%K %T %r",
                    NULL};
    enum grader_status status = run(cluster, argv, &output, diag);
    memset(tasks, 0, n * sizeof *tasks);
    char *rest = output;
    for (char *line; status == GRADER_OK && (line = strsep(&rest, "\n"));) {
        struct cluster_task task = {.how = CLUSTER_RUNS};
        size_t index;
        if (sscanf(line, "%zu %31s %159[^\n]", &index, task.word, task.reason) < 2 || index >= n)
            continue;
        if (strcmp(task.word, "PENDING") == 0)
            task.how = CLUSTER_WAITS;
        else if (is_over(task.word))
            task.how = CLUSTER_OVER;
        tasks[index] = task;
    }
    free(output);
    free(of_name);
    return status;
}
