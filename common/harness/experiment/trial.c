/*
 * The calls of a test that takes part in an experiment.
 */
#include "common/harness/experiment/experiment.h"

/* What a call counts for beside its instructions: a message there and back, buffers. */
enum { CALL_WORK = 8192 };

void lab_trial_begin(struct lab *lab) {
    const struct lab_trial *trial = lab->settings->trial;

    if (trial->is_fresh && lab->worker) {
        call_close(lab->worker);
        lab->worker = NULL;
    }
    call_try(lab_worker(lab), &trial->call);
}

void lab_trial_note(struct lab *lab) {
    struct lab_trial *trial = lab->settings->trial;
    json_t *candidates = json_object_get(lab->report, "candidates");

    trial->n_calls++;
    trial->work += lab->last.work + CALL_WORK;
    if (json_array_size(candidates) == 0)
        return;
    json_decref(trial->candidates);
    trial->candidates = json_incref(candidates);
}
