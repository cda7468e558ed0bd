/*
 * What the grader remembers of the student's way through the labs: how the last whole check of each
 * lab ended, and of which file. A lab is solved while the file that passed is the one that is
 * there. Also how fast the model answer is on this device: measured once, and remembered.
 */
#pragma once

#include <jansson.h>

#include "grader/grade/grading.h"
#include "grader/session/session.h"
#include "grader/workbook/target.h"

enum progress_state {
    PROGRESS_NONE,    /* never checked */
    PROGRESS_OPEN,    /* checked, not passed */
    PROGRESS_CHANGED, /* passed, and was changed since */
    PROGRESS_SOLVED,
};

struct progress {
    enum progress_state state;
    unsigned points, max_points; /* of the last check */
    char verdict[32];            /* of the last check, "" where there is none */
    char checked[32];            /* when: "2026-11-21 09:30" */
};

/* Reads what is known of a lab. */
void progress_read(const struct workbook *book, const struct target *target,
                   struct progress *progress);

/* The first lab of `targets` that is not solved, or NULL where all are. */
const struct target *progress_next(const struct workbook *book, const struct targets *targets);

/* Remembers the record of a whole check; best effort. */
void progress_note(const struct session *session, const struct target *target, const json_t *lab);

/* The record of the last check, a new reference, where it passed and nothing has changed that it
 * depends on: the file, the lab, the compiler, the device, Warpbook itself. Else NULL. */
json_t *progress_recall(const struct session *session, const struct target *target);

/* The record of the last whole check, a new reference, however it ended; NULL where there is none.
 * `is_current` says whether the file is still the one that was checked. */
json_t *progress_last(const struct workbook *book, const struct target *target, bool *is_current);

/* Forgets a lab. */
void progress_forget(const struct workbook *book, const char *lab);

/* Sets model_gbps and share_of_model of each measurement in a lab's record, where there is a model
 * answer. Measures it if need be, by grading_run; where that is interrupted, so is the job. Waits
 * for others who measure one. */
void model_compare(struct grading *grading, struct grading_job *job);

/* On a GPU: measures the model answer of a file's lab, where that is not known yet, so that nobody
 * who has graded such a file waits for it. */
void model_prepare(struct grading *grading, const struct target *target);
