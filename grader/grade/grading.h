/* One piece of work of the grader: a file for a lab, compiled, run, and written into a record. */
#pragma once

#include <jansson.h>
#include <pthread.h>

#include "grader/session/session.h"
#include "grader/machine/gpus.h"
#include "grader/workbook/target.h"

/* What all pieces of work of a run share. */
struct grading {
    const struct session *session;
    /* Held alone by a run that uses all processors or measures, shared by single tests. */
    pthread_rwlock_t machine;
    struct gpus gpus; /* that tests may use; none on the simulator */
    /* Of each lab of the workbook, and one for any other: held while its model answer's speed is
     * measured. Other jobs of the lab wait, and then find it measured. */
    pthread_mutex_t *models;
};

struct grading_job {
    const struct target *target;
    const char *test;     /* as for --test; NULL for all */
    const char *again;    /* the command that grades this again, for the reader */
    bool is_model;        /* the model answer, run to compare with */
    int jobs;             /* tests at once; 1 lets other jobs of one test run beside it */
    bool experiments;     /* look for the causes of failures by trying edits */
    bool is_untimed;      /* without speed, for which others would wait */
    bool is_simulated;    /* on the simulator, whatever the session's device is */
    const uint64_t *seed; /* that inputs are drawn from; NULL: the session's */
    bool is_build;        /* compile alone: no test runs */
    json_t *lab;          /* out: the record of the lab, a new reference; never NULL */
    char *object;         /* out, of is_build: path of what was compiled, or NULL; the caller's */
    bool is_interrupted;
};

void grading_init(struct grading *grading, const struct session *session);
void grading_finish(struct grading *grading);

/* Does one piece of work. May be called from several threads. */
void grading_run(struct grading *grading, struct grading_job *job);
