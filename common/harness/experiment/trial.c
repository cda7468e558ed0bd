/*
 * The calls of a test that takes part in an experiment.
 */
#include "common/harness/experiment/experiment.h"

#include <string.h>

/* What a call counts for beside its instructions: a message there and back, buffers. */
enum { CALL_WORK = 8192 };

/* Edits that are about the block that was asked for are about that of the call to come: a test has
 * calls with several. */
static void ask_for_block(struct lab *lab, struct simt_edit *edit) {
    for (size_t i = 0; i < lab->n_args; i++) {
        const struct call_arg *arg = &lab->args[i];
        if (arg->kind != CALL_ARG_U32 || strcmp(arg->name, "block") != 0)
            continue;
        if (edit->kind == SIMT_EDIT_BLOCK)
            edit->to = (int64_t)arg->value.u64;
        if (edit->kind == SIMT_EDIT_BLOCK_WARPS)
            edit->from = (int64_t)arg->value.u64;
    }
}

void lab_trial_begin(struct lab *lab) {
    const struct lab_trial *trial = lab->settings->trial;
    struct call_experiment call = trial->call;
    struct simt_edit edit;

    if (trial->is_fresh && lab->worker) {
        call_close(lab->worker);
        lab->worker = NULL;
    }
    if (call.n_edits == 1) {
        edit = *call.edits;
        ask_for_block(lab, &edit);
        call.edits = &edit;
    }
    call_try(lab_worker(lab), &call);
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
