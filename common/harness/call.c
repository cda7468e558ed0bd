/*
 * The call of a test: arguments to the worker, and what its end means for the student, in words.
 */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/memory.h"
#include "common/harness/context.h"
#include "common/harness/random.h"
#include "common/harness/result.h"

struct call_arg lab_in(const char *name, const void *data, size_t count, size_t element_bytes) {
    return (struct call_arg){.kind = CALL_ARG_IN,
                             .name = name,
                             .data = (void *)data,
                             .count = count,
                             .element_bytes = element_bytes};
}

struct call_arg lab_in_drawn(const char *name, const struct lab_drawn *drawn) {
    return (struct call_arg){.kind = CALL_ARG_IN,
                             .name = name,
                             .make = lab_drawn_make,
                             .context = drawn,
                             .count = drawn->n,
                             .element_bytes = sizeof(int32_t)};
}

struct call_arg lab_out(const char *name, void *data, size_t count, size_t element_bytes) {
    return (struct call_arg){.kind = CALL_ARG_OUT,
                             .name = name,
                             .data = data,
                             .count = count,
                             .element_bytes = element_bytes};
}

struct call_arg lab_scratch(const char *name, size_t count, size_t element_bytes) {
    return (struct call_arg){
        .kind = CALL_ARG_SCRATCH, .name = name, .count = count, .element_bytes = element_bytes};
}

struct call_arg lab_size(size_t value) {
    return (struct call_arg){.kind = CALL_ARG_U64, .name = "n", .value.u64 = value};
}

struct call_arg lab_u32(const char *name, uint32_t value) {
    return (struct call_arg){.kind = CALL_ARG_U32, .name = name, .value.u64 = value};
}

struct call_worker *lab_worker(struct lab *lab) {
    if (lab->settings->never_loads)
        lab_stop(lab, LAB_TIMEOUT,
                 "Loading your file did not come to its end in another test, and was not tried "
                 "again: it has code that runs before any function is called, and never ends.");
    if (lab->worker == NULL)
        lab->worker = lab_workers_take(lab);
    return lab->worker;
}

void lab_take_result(struct lab *lab, struct call_result *result) {
    if (lab->has_last)
        call_result_clear(&lab->last);
    json_decref(lab->report);
    lab->last = *result;
    if (result->is_loading)
        lab_settings_note_never_loads(lab->settings);
    lab->has_last = true;
    lab->report = NULL;
    lab_take_report(lab, result->report);
}

void lab_take_report(struct lab *lab, const char *text) {
    if (text != NULL)
        lab->report = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
}

const char *lab_called(const struct lab *lab, char *text, size_t bytes) {
    if (lab->current != NULL)
        snprintf(text, bytes, "%s (n = %zu, block = %u)", lab->function, lab->current->n,
                 lab->current->block);
    else
        snprintf(text, bytes, "%s", lab->function);
    return text;
}

/* Notes a verdict in the worker's own words; in `otherwise` where it had none. Its messages name
 * the function, and are sentences but for the capital and the full stop. */
static void note_message(struct lab *lab, enum lab_verdict verdict, const char *otherwise) {
    const char *message = lab->last.message[0] != '\0' ? lab->last.message : otherwise;
    size_t length = strlen(message);
    const char *stop = length > 0 && message[length - 1] == '.' ? "" : ".";
    bool is_name = strncmp(message, lab->function, strlen(lab->function)) == 0;
    char first = (char)(is_name ? message[0] : toupper((unsigned char)message[0]));

    lab_note(lab, verdict, NULL, "%c%s%s", first, message + 1, stop);
}

static void note_cuda_error(struct lab *lab) {
    char otherwise[256];

    snprintf(otherwise, sizeof otherwise, "%s returned %s%s", lab->function,
             lab->last.returned != 0 ? "" : "cudaSuccess, but left behind ",
             lab->last.cuda_error_name);
    note_message(lab, LAB_CUDA_ERROR, otherwise);
}

/* What a signal usually means in code that calls a GPU. */
static const char *crash_advice(int signal) {
    if (signal == SIGSEGV || signal == SIGBUS)
        return "The host code touched memory that isn't there: a device pointer can't be followed "
               "on the host";
    return signal == SIGFPE ? "The host code divided by zero" : "The process was killed";
}

/* True where it looks like the student's doing and may be the machine's: memory was short, or the
 * process was killed. The test is then run again, alone; what happens again counts, unless this
 * machine says that it was short of memory: it has less than a submission may have, or the kernel
 * has killed a program. No student can bring that about without using up memory. */
static bool is_machines(struct lab *lab) {
    uint64_t room = memory_room();
    bool is_out = lab->last.outcome == CALL_OUT_OF_MEMORY;
    bool is_killed = lab->last.outcome == CALL_CRASH && lab->last.signal == SIGKILL;

    if (!is_out && !is_killed)
        return false;
    if (lab->settings->is_first_try)
        lab_note(lab, LAB_INFRASTRUCTURE, NULL, "%s: %s. It has to be run again.", lab->function,
                 is_out ? "memory ran out" : "the process was killed");
    else if (is_out && lab->backend == CALL_SIM && room < CALL_SIM_MEMORY_BYTES)
        lab_note(lab, LAB_INFRASTRUCTURE, NULL,
                 "This machine is short of memory: it has %.1f GiB to spare, and %s may have %.0f.",
                 (double)room / (1 << 30), lab->function, CALL_SIM_MEMORY_BYTES / 0x1p30);
    else if (is_killed && memory_count_kills() > lab->n_kills)
        lab_note(lab, LAB_INFRASTRUCTURE, NULL,
                 "This machine ran out of memory, and its kernel has killed a program for that.");
    else
        return false;
    return true;
}

static void note_outcome(struct lab *lab) {
    enum call_outcome outcome = lab->last.outcome;

    if (is_machines(lab))
        return;
    if (outcome == CALL_NOT_WRITTEN)
        lab_note(lab, LAB_NOT_WRITTEN, NULL, "%s is not written yet.", lab->function);
    else if (outcome == CALL_NO_ENTRY)
        lab_note(lab, LAB_NO_ENTRY, NULL,
                 "Your file has no function %s. It must be there under just this name, as "
                 "extern \"C\", like the header declares it.",
                 lab->function);
    else if (outcome == CALL_CUDA_ERROR)
        note_cuda_error(lab);
    else if (outcome == CALL_CRASH)
        note_message(lab, LAB_CRASH, crash_advice(lab->last.signal));
    else /* the rest are words of their own in both lists */
        note_message(lab, lab_verdict_of(call_outcome_word(outcome)),
                     "The call did not come to its end");
}

/* Bytes beside a buffer, or in a const one, that the call changed. */
static void note_damage(struct lab *lab) {
    const struct call_damage *damage = &lab->last.damage;
    const struct call_arg *arg;
    char called[160];

    lab_called(lab, called, sizeof called);
    if (damage->arg < 0 || (size_t)damage->arg >= lab->n_args) {
        lab_note(lab, LAB_PROTOCOL, NULL, "The worker of %s reported damage to no argument.",
                 called);
        return;
    }
    arg = &lab->args[damage->arg];
    if (damage->kind == CALL_INPUT_CHANGED)
        lab_note(lab, LAB_DAMAGE, NULL,
                 "%s changed %s[%lld], but %s is const: it belongs to the caller.", called,
                 arg->name, (long long)damage->element, arg->name);
    else
        lab_note(lab, LAB_DAMAGE, NULL,
                 "%s wrote to %s[%lld], outside the %zu elements that %s has.", called, arg->name,
                 (long long)damage->element, arg->count, arg->name);
}

/* A finding in the simulator's own words. One that stopped the kernel since it had spent its budget
 * or its time is a time-out, which now can say where that went. */
static void note_finding(struct lab *lab, const json_t *finding) {
    bool is_stop = lab_is_stop(json_string_value(json_object_get(finding, "kind")));
    const char *message = json_string_value(json_object_get(finding, "message"));
    char called[160];

    lab_called(lab, called, sizeof called);
    lab_note(lab, is_stop ? LAB_TIMEOUT : LAB_FINDING, NULL, "%s: %s", called,
             message != NULL ? message : "the simulator found a mistake.");
}

bool lab_judge_call(struct lab *lab) {
    const struct call_result *last = &lab->last;
    const json_t *finding;

    if (strcmp(lab->tier, "technique") == 0)
        lab_report(lab); /* where counters are asked for, a call must have them */
    if (last->report != NULL && !json_is_object(lab->report)) {
        lab_note(lab, LAB_PROTOCOL, NULL, "The worker of %s sent a report that can't be read.",
                 lab->function);
        return false;
    }
    finding = lab_worst_finding(lab);
    if (finding != NULL)
        note_finding(lab, finding);
    else if (last->outcome == CALL_OK && last->damage.kind != CALL_INTACT)
        note_damage(lab);
    else if (last->outcome != CALL_OK)
        note_outcome(lab);
    else
        return strcmp(lab->tier, "technique") != 0 || lab_judge_kernels(lab);
    return false;
}

/* Makes the call; what it was is in lab->last afterwards. */
static void call(struct lab *lab, const char *function, struct call_arg *args, size_t n_args) {
    struct call_result result = {0};

    if (n_args > CALL_MAX_ARGS)
        lab_stop(lab, LAB_INFRASTRUCTURE, "This test calls %s with too many arguments.", function);
    lab->function = function;
    memcpy(lab->args, args, n_args * sizeof *args);
    lab->n_args = n_args;
    call_run(lab_worker(lab), function, args, n_args, &result);
    lab_take_result(lab, &result);
}

bool lab_call_args(struct lab *lab, const char *function, struct call_arg *args, size_t n_args) {
    if (lab->now.verdict != LAB_PASS)
        return false;
    call(lab, function, args, n_args);
    return lab_judge_call(lab);
}

bool lab_call_refused_args(struct lab *lab, const char *function, const char *why,
                           struct call_arg *args, size_t n_args) {
    char called[160];

    if (lab->now.verdict != LAB_PASS)
        return false;
    call(lab, function, args, n_args);
    if (lab->last.outcome == CALL_CUDA_ERROR && lab->last.returned != 0 &&
        lab_worst_finding(lab) == NULL)
        return true;
    lab_called(lab, called, sizeof called);
    if (lab->last.outcome == CALL_OK || lab->last.outcome == CALL_CUDA_ERROR)
        lab_note(lab, LAB_CUDA_ERROR, NULL,
                 "%s returned cudaSuccess, though the device refuses %s. A caller would take "
                 "whatever lies in its output for a result.",
                 called, why);
    else
        lab_judge_call(lab);
    return false;
}

const struct call_device *lab_device(struct lab *lab) {
    struct call_result result = {0};
    enum call_outcome outcome;

    if (!lab->device_known) {
        lab->function = "The device query";
        outcome = call_device(lab_worker(lab), &lab->device, &result);
        lab_take_result(lab, &result);
        if (outcome != CALL_OK)
            lab_stop(lab, lab_verdict_of(call_outcome_word(outcome)),
                     "The worker could not say which device this is. %s", lab->last.message);
        lab->device_known = true;
    }
    return &lab->device;
}
