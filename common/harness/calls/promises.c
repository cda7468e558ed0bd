/*
 * What every function of a lab promises beside its result, looked at in the same way in all labs:
 * errors are returned, nothing is kept from call to call, any order that CUDA allows
 * gives the same, and kernels do the work. The simulator answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/owned.h"
#include "common/base/splitmix.h"
#include "common/base/text.h"
#include "common/harness/context.h"

/* What a call was that the device refused, for a sentence. */
static const char *refused_words(const struct simt_refusal *refusal) {
    static const char *const words[] = {[SIMT_LAUNCH] = "a launch",
                                        [SIMT_ALLOCATION] = "an allocation (cudaMalloc)",
                                        [SIMT_COPY] = "a copy (cudaMemcpy)",
                                        [SIMT_FILL] = "a fill (cudaMemset)",
                                        [SIMT_OBJECT] = "a new stream or event",
                                        [SIMT_QUESTION] = "a question about the device or a kernel",
                                        [SIMT_WAIT] = "a wait, or the record of an event"};

    return words[refusal->what];
}

/* All calls of which one was refused. */
static const char *refusable_words(const struct simt_refusal *refusal) {
    if (refusal->what == SIMT_QUESTION)
        return "questions";
    return refusal->what == SIMT_WAIT ? "waits and records of events"
                                      : "launches, allocations, copies, fills, streams and events";
}

static bool is_error_returned(const struct lab *lab) {
    bool is_error = lab->last.outcome == CALL_CUDA_ERROR || lab->last.outcome == CALL_OUT_OF_MEMORY;

    return is_error && lab->last.returned != 0;
}

/* The manifest's word for an error that the function did not return. */
static const char *swallowed_id(const struct simt_refusal *refusal) {
    return refusal->what == SIMT_LAUNCH     ? "launch_error_swallowed"
           : refusal->what == SIMT_QUESTION ? "question_error_swallowed"
                                            : "call_error_swallowed";
}

static void note_swallowed(struct lab *lab, const char *called, unsigned number, unsigned n_calls) {
    const struct simt_refusal *refusal = &lab->last.refusal;

    lab_note_known(lab, swallowed_id(refusal), LAB_CUDA_ERROR,
                   "%s: of its %u %s the device refused number %u, %s, and it returned "
                   "cudaSuccess. A caller would take whatever lies in its output for a result.",
                   called, n_calls, refusable_words(refusal), number, refused_words(refusal));
}

/* What came of it where the function went on: without the refusal the same call was right. */
static bool judge_what_followed(struct lab *lab, unsigned number, unsigned n_calls) {
    const struct simt_refusal *refusal = &lab->last.refusal;
    lab_diagnoser *diagnoser = lab->diagnoser;

    if (refusal->what == SIMT_NO_CALL)
        return lab_judge_call(lab);
    lab->diagnoser = NULL;
    const bool is_good = lab_judge_call(lab);
    lab->diagnoser = diagnoser;
    if (is_good)
        return true;
    char *reason = lab->now.reason;
    lab->now.reason =
        text_format("Of its %u %s the device refused number %u, %s, and the function went on. %s",
                    n_calls, refusable_words(refusal), number, refused_words(refusal), reason);
    free(reason);
    lab_diagnose(lab, swallowed_id(refusal));
    return false;
}

static void note_kept(struct lab *lab, const char *called) {
    lab_note_known(lab, "memory_kept_after_error", LAB_DAMAGE,
                   "%s: the device refused %s, and the function returned the error, but left %u "
                   "allocation%s of device memory behind.",
                   called, refused_words(&lab->last.refusal), lab->last.kept_allocations,
                   lab->last.kept_allocations == 1 ? "" : "s");
}

/* What the call has made, and not given back. The caller frees it. */
static char *kept_objects(const struct lab *lab) {
    return lab->last.kept_objects == 1
               ? text_format("a stream, an event or a piece of pinned memory")
               : text_format("%u streams, events or pieces of pinned memory",
                             lab->last.kept_objects);
}

static void note_object_kept(struct lab *lab, const char *called) {
    OWNED char *kept = kept_objects(lab);

    lab_note_known(lab, "object_kept", LAB_DAMAGE,
                   "%s: the device refused %s, and the function returned the error, but left %s "
                   "behind.",
                   called, refused_words(&lab->last.refusal), kept);
}

static void note_unknown(struct lab *lab, const char *called) {
    lab_note_known(
        lab, "object_never_made", LAB_DAMAGE,
        "%s: the device refused %s, and the function returned the error, but handed "
        "CUDA a stream or an event that it had not made, or that was gone. CUDA does not "
        "say what comes of that.",
        called, refused_words(&lab->last.refusal));
}

/* The error of a call is what that call returned, and of a launch what is asked for after it: the
 * function can't have known it before. */
static bool is_refusals_error(struct lab *lab, const char *called) {
    const struct simt_refusal *refusal = &lab->last.refusal;

    if (lab->last.returned == refusal->error)
        return true;
    lab_note_known(lab, refusal->what == SIMT_LAUNCH ? NULL : "call_error_swallowed",
                   LAB_CUDA_ERROR,
                   "%s: the device refused %s, with error %d, and the function returned another "
                   "error, %d (%s).",
                   called, refused_words(refusal), refusal->error, lab->last.returned,
                   lab->last.cuda_error_name);
    return false;
}

/* One call of which the device refuses what the function asks for as this number, from 1. What the
 * launches after it find, is not the question, where they only run on what was never written. */
static bool returns_refusal(struct lab *lab, const char *function, struct call_arg *args,
                            size_t n_args, unsigned number, unsigned n_calls) {
    char called[LAB_CALLED_BYTES];

    lab->conditions.refused = number;
    lab_call_unjudged(lab, function, args, n_args);
    lab->conditions.refused = 0;
    lab_called(lab, called, sizeof called);
    if (lab->last.refusal.what == SIMT_NO_CALL ||
        (lab->last.outcome != CALL_OK && lab->last.outcome != CALL_CUDA_ERROR &&
         lab->last.outcome != CALL_OUT_OF_MEMORY) ||
        lab_finding(lab, "out_of_bounds"))
        return judge_what_followed(lab, number, n_calls);
    if (!is_error_returned(lab))
        note_swallowed(lab, called, number, n_calls);
    else if (lab->last.kept_allocations > 0)
        note_kept(lab, called);
    else if (lab->last.kept_objects > 0)
        note_object_kept(lab, called);
    else if (lab->last.refusal.n_unknown > 0)
        note_unknown(lab, called);
    else
        return is_refusals_error(lab, called);
    return false;
}

/* The call after that, of which nothing is refused: whoever has only peeked at a launch's error
 * finds it again. */
static bool forgets_refusal(struct lab *lab, const char *function, struct call_arg *args,
                            size_t n_args) {
    const int refusal = lab->last.returned;
    char called[LAB_CALLED_BYTES];

    lab_call_unjudged(lab, function, args, n_args);
    if (lab->last.outcome != CALL_CUDA_ERROR || lab->last.returned != refusal)
        return lab_judge_call(lab);
    lab_note_known(lab, "error_left_pending", LAB_CUDA_ERROR,
                   "%s: the device refused a launch, and the function returned %s, as it should. "
                   "It returned it again in the next call, of which the device refused nothing.",
                   lab_called(lab, called, sizeof called), lab->last.cuda_error_name);
    return false;
}

/* Refuses the calls that the function has just made, one after the other. */
static bool returns_each(struct lab *lab, const char *function, struct call_arg *args,
                         size_t n_args) {
    enum { MAX_REFUSED = 12 };
    const unsigned n_calls = lab->last.refusal.n_calls;

    for (unsigned k = 1; k <= n_calls && k <= MAX_REFUSED; k++)
        if (!returns_refusal(lab, function, args, n_args, k, n_calls) ||
            (lab->last.refusal.what == SIMT_LAUNCH &&
             !forgets_refusal(lab, function, args, n_args)))
            return false;
    return true;
}

bool lab_returns_refusals_args(struct lab *lab, const char *function, struct call_arg *args,
                               size_t n_args) {
    if (!lab_call_args(lab, function, args, n_args) || lab_on_gpu(lab))
        return lab->now.verdict == LAB_PASS;
    return returns_each(lab, function, args, n_args);
}

bool lab_returns_failed_waits_args(struct lab *lab, const char *function, struct call_arg *args,
                                   size_t n_args) {
    lab->conditions.refuses = SIMT_REFUSES_WAITS;
    bool is_good = lab_returns_refusals_args(lab, function, args, n_args);
    lab->conditions.refuses = SIMT_REFUSES_WORK;
    return is_good;
}

bool lab_returns_failed_questions_args(struct lab *lab, const char *function, struct call_arg *args,
                                       size_t n_args) {
    lab->conditions.refuses = SIMT_REFUSES_QUESTIONS;
    bool is_good = lab_call_host_args(lab, function, args, n_args);
    if (is_good && !lab_on_gpu(lab))
        is_good = returns_each(lab, function, args, n_args);
    lab->conditions.refuses = SIMT_REFUSES_WORK;
    return is_good;
}

void lab_on_another_device(struct lab *lab, bool is_other) {
    lab->conditions.other_device = is_other;
}

/* Notes streams, events and pinned memory that a call has left. */
static bool judge_objects(struct lab *lab) {
    char called[LAB_CALLED_BYTES];

    if (lab->last.kept_objects == 0)
        return true;
    OWNED char *kept = kept_objects(lab);
    lab_note_known(lab, "object_kept", LAB_DAMAGE, "%s left %s behind.",
                   lab_called(lab, called, sizeof called), kept);
    return false;
}

bool lab_judge_kept(struct lab *lab) {
    char called[LAB_CALLED_BYTES];

    if (!lab->is_in_turn)
        return true;
    if (lab->last.kept_allocations == 0)
        return judge_objects(lab);
    lab_note_known(lab, "memory_kept", LAB_DAMAGE,
                   "%s left %u allocation%s of device memory behind, %llu bytes.",
                   lab_called(lab, called, sizeof called), lab->last.kept_allocations,
                   lab->last.kept_allocations == 1 ? "" : "s",
                   (unsigned long long)lab->last.kept_bytes);
    return false;
}

/* The case that failed after others, again in a process of its own, with the same numbers. Where it
 * is right there, what the calls before left behind is why it was wrong; else that is not. */
static void fail_alone(struct lab *lab, const struct lab_case *c, lab_case_body *body) {
    struct lab_failure later = lab->now;

    lab->now = (struct lab_failure){.verdict = LAB_PASS};
    lab_renew_worker(lab);
    if (!lab_run_case(lab, c, body)) {
        lab_failure_clear(&later);
        return;
    }
    lab->now = later;
    if (later.reason)
        lab->now.reason =
            text_format("%s The same call is right where no other came before it.", later.reason);
    free(later.reason);
    lab_diagnose(lab, "state_between_calls");
}

/* The runtime may keep as much itself. */
enum { RUNTIMES_BYTES = 4096 };

/* True where the last call has left memory of the host for half of its n words or more. */
static bool has_kept_host_memory(const struct lab *lab, size_t n) {
    return lab->has_last && n > RUNTIMES_BYTES && lab->last.kept_host_bytes >= 2 * n;
}

/* Notes that each large call has. */
static bool note_host_memory(struct lab *lab) {
    lab_note_known(lab, "host_memory_kept", LAB_DAMAGE,
                   "%s left memory of the host behind in each call, %llu bytes in the last one.",
                   lab->function, (unsigned long long)lab->last.kept_host_bytes);
    return true;
}

static bool run_in_turn(struct lab *lab, const size_t *sizes, size_t n_sizes, unsigned block,
                        lab_case_body *body) {
    uint64_t state = lab->seed ^ block;
    size_t n_leaks = 0, n_large = 0;

    for (size_t i = 0; i < n_sizes; i++) {
        struct lab_case c = {.n = sizes[i], .block = block, .seed = splitmix_next(&state)};

        if (lab->settings->has_case_seed)
            c.seed = lab->settings->only.seed + i;
        lab->is_silent = i > 0;
        bool is_right = lab_run_case(lab, &c, body);
        lab->is_silent = false;
        n_large += sizes[i] > RUNTIMES_BYTES;
        n_leaks += has_kept_host_memory(lab, sizes[i]);
        if (is_right)
            continue;
        if (i > 0 && !lab->now.diagnosis && !lab->settings->trial)
            fail_alone(lab, &c, body);
        return false;
    }
    return n_leaks < 3 || n_leaks < n_large || lab_on_gpu(lab) || !note_host_memory(lab);
}

void lab_in_turn(struct lab *lab, const size_t *sizes, size_t n_sizes, unsigned block,
                 lab_case_body *body) {
    if (lab_failed(lab))
        return;
    lab->is_in_turn = lab->conditions.same_places = lab->conditions.shifts = true;
    if (run_in_turn(lab, sizes, n_sizes, block, body))
        lab->cases_passed++;
    else
        lab_failure_keep(lab);
    lab->is_in_turn = lab->conditions.same_places = lab->conditions.shifts = false;
}

/* Says of a failure that was seen in an order that was drawn alone. */
static void tell_order(struct lab *lab) {
    char *reason = lab->now.reason;

    lab->now.reason = text_format("%s That is so in one of the orders of blocks, warps and streams "
                                  "that CUDA allows; in the usual one the call is right.",
                                  reason ? reason : "");
    free(reason);
    lab_diagnose(lab, "depends_on_order");
}

void lab_any_order(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    enum { N_ORDERS = 8 };
    uint64_t state = lab->seed ^ n << 11 ^ block;

    lab_one(lab, n, block, body);
    for (int i = 0;
         i < N_ORDERS && !lab_failed(lab) && !lab_on_gpu(lab) && lab_is_meant(lab, n, block); i++) {
        struct lab_case c = {.n = n, .block = block, .seed = lab_case_seed(lab, n, block)};

        lab->conditions.schedule = splitmix_next(&state);
        lab->is_silent = true;
        if (!lab_run_case(lab, &c, body)) {
            tell_order(lab);
            lab_failure_keep(lab);
        }
        lab->is_silent = false;
        lab->conditions.schedule = 0;
    }
}

/* True where there was nothing to compute: no elements, or one that a copy within the device has
 * brought to its place, or a fill. */
static bool needs_no_kernel(const struct lab *lab) {
    const struct call_memory *memory = &lab->last.memory;

    if (!lab->current || lab->current->n > 1)
        return false;
    return lab->current->n == 0 ||
           (memory->is_known && memory->to_host == 0 && memory->from_host == 0);
}

/* Notes that an earlier call's kernels did the work, or the host did. Where there is an input, one
 * of them is sure: who has not read it has kept the result. */
static void note_later_idle(struct lab *lab, const char *called) {
    static const char what[] =
        "gave the right result, but no kernel stored anything this time: the";
    bool has_input = false;

    for (size_t i = 0; i < lab->n_args; i++)
        has_input |= lab->args[i].kind == CALL_ARG_IN || lab->args[i].kind == CALL_ARG_HOST_IN;
    if (!has_input)
        lab_note(lab, LAB_TECHNIQUE, NULL,
                 "%s %s host wrote the result, which it has kept or computed.", called, what);
    else if (lab->last.memory.to_host > 0)
        lab_note_known(lab, "work_on_the_host", LAB_TECHNIQUE, "%s %s host has computed it.",
                       called, what);
    else
        lab_note_known(lab, "state_between_calls", LAB_TECHNIQUE,
                       "%s %s result was kept from a call before.", called, what);
}

/* Nobody knows whether the result is right: no more is told than what was seen. */
static void note_idle(struct lab *lab, const char *called) {
    lab_note(lab, LAB_TECHNIQUE, NULL, "%s returned cudaSuccess, but no kernel stored anything.",
             called);
    if (!lab_has_worked(lab) && lab_n_launches(lab) == 0)
        lab_diagnose(lab, "nothing_launched");
}

bool lab_judge_idle(struct lab *lab) {
    char called[LAB_CALLED_BYTES];

    if (!lab->has_last || lab->last.outcome != CALL_OK || !lab->last.is_idle ||
        needs_no_kernel(lab))
        return true;
    if (lab->settings->workers)
        lab->settings->workers->n_idle_calls++;
    lab_called(lab, called, sizeof called);
    if (lab->n_compared == 0)
        note_idle(lab, called);
    else if (lab_has_worked(lab))
        note_later_idle(lab, called);
    else
        lab_note_known(lab, lab_n_launches(lab) == 0 ? "nothing_launched" : NULL, LAB_TECHNIQUE,
                       "%s gave the right result, but no kernel stored anything: the host did all "
                       "of the work.",
                       called);
    return false;
}

/* False where nobody knows. */
static bool was_written_by_no_kernel(const struct lab *lab, const char *name) {
    const json_t *buffer = lab_buffer(lab, name);

    return buffer && json_integer_value(json_object_get(buffer, "by_kernels")) == 0;
}

/* A function that takes arrays of the host's has to copy. */
static bool has_to_copy(const struct lab *lab) {
    for (size_t i = 0; i < lab->n_args; i++)
        if (lab->args[i].kind == CALL_ARG_HOST_IN || lab->args[i].kind == CALL_ARG_HOST_OUT)
            return true;
    return false;
}

bool lab_judge_hosts_work(struct lab *lab) {
    const json_t *memory = json_object_get(lab_report(lab), "memory");
    json_int_t copied = json_integer_value(json_object_get(memory, "to_host"));
    char called[LAB_CALLED_BYTES];

    if (!lab->has_last || lab->last.outcome != CALL_OK || (lab->current && lab->current->n == 0) ||
        has_to_copy(lab))
        return true;
    lab_called(lab, called, sizeof called);
    if (copied > 0) {
        lab_note_known(
            lab, "work_on_the_host", LAB_TECHNIQUE,
            "%s gave the right result, but copied %lld bytes to the host on the way: kernels "
            "are to do all of the work.",
            called, (long long)copied);
        return false;
    }
    for (size_t i = 0; i < lab->n_args; i++)
        if (lab->args[i].kind == CALL_ARG_OUT && lab->args[i].count > 0 &&
            json_is_true(json_object_get(memory, "sure")) &&
            was_written_by_no_kernel(lab, lab->args[i].name)) {
            lab_note_known(lab, "work_on_the_host", LAB_TECHNIQUE,
                           "%s gave the right result, but the host wrote %s, and no kernel did.",
                           called, lab->args[i].name);
            return false;
        }
    return true;
}

bool lab_expect_stored(struct lab *lab, const char *name, size_t bytes) {
    const struct call_memory *memory = &lab->last.memory;
    char called[LAB_CALLED_BYTES];

    for (size_t i = 0; memory->is_known && i < lab->n_args; i++) {
        if (strcmp(lab->args[i].name ? lab->args[i].name : "", name) != 0 ||
            memory->args[i].by_kernels <= bytes)
            continue;
        lab_note_known(lab, "stores_beside", LAB_DAMAGE,
                       "%s stored to %llu bytes of %s, of which %zu are its own. The others belong "
                       "to the caller, and were left as they had been by chance.",
                       lab_called(lab, called, sizeof called),
                       (unsigned long long)memory->args[i].by_kernels, name, bytes);
        return false;
    }
    return true;
}

bool lab_expect_grid(struct lab *lab, uint64_t n_threads, uint64_t n_blocks) {
    struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));

    if (lab->now.verdict != LAB_PASS || lab_n_launches(lab) == 0)
        return lab->now.verdict == LAB_PASS;
    bool holds = lab_technique(lab, launch.n_threads == n_threads,
                               "threads of a block in the largest launch", launch.n_threads,
                               "==", n_threads);
    if (holds && n_blocks > 0)
        holds = lab_technique(lab, launch.n_blocks == n_blocks, "blocks of the largest launch",
                              launch.n_blocks, "==", n_blocks);
    if (!holds)
        lab_diagnose(lab, "other_grid");
    return holds;
}
