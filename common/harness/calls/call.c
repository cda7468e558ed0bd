/*
 * The call of a test: a worker for it, and what came of it, in words for the student.
 *
 * On a GPU the tests of one process reuse a worker. A driver makes the contexts of all processes
 * one after the other, each in a fifth of a second or more, while most tests need milliseconds of
 * it: with a context for each test, a class would wait for nothing else. A test that failed in a
 * reused worker is run again, on the simulator or in a new one, so that no result depends on
 * another test; but a time-out stands, which costs most. Timed tests do so, too: what an earlier
 * one left running slows its own file's runs, but not the copy that they are compared with, which
 * was timed before (yardstick.c).
 */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/base/system/memory.h"
#include "common/harness/context.h"

/* True where tests of this one's kind reuse workers. */
static bool may_reuse(const struct lab *lab) {
    return lab->backend == CALL_GPU;
}

static struct call_worker *open_new(struct lab *lab, bool is_clean) {
    struct call_settings settings = lab_call_settings(lab->settings, lab->backend, lab->timeout_ms);

    settings.seed = lab->seed;
    if (is_clean)
        settings.submission = NULL;
    struct call_worker *worker = call_open(&settings);
    if (!worker)
        lab_stop(lab, LAB_INFRASTRUCTURE, "This machine has no memory for a worker process.");
    return worker;
}

struct call_worker *lab_clean_worker(struct lab *lab) {
    struct lab_workers *workers = lab->settings->workers;

    /* Beside it none runs the student's code but this test's own. */
    if (lab->is_reused)
        lab_renew_worker(lab);
    if (workers->idle && !workers->is_idle_new) {
        call_close(workers->idle);
        workers->idle = NULL;
    }
    if (!workers->clean)
        workers->clean = open_new(lab, true);
    call_limit(workers->clean, lab_settings_limit_ms(lab->settings, lab->timeout_ms));
    return workers->clean;
}

struct call_worker *lab_worker(struct lab *lab) {
    struct lab_workers *workers = lab->settings->workers;

    if (lab->settings->never_loads)
        lab_stop(lab, LAB_TIMEOUT,
                 "Loading your file did not come to its end in another test, and was not tried "
                 "again: it has code that runs before any function is called, and never ends.");
    if (lab->worker)
        return lab->worker;
    if (workers && workers->yardsticks.is_asking)
        longjmp(lab->end, 1); /* a rehearsal ends here */
    if (!may_reuse(lab) || !workers->idle)
        return lab->worker = open_new(lab, false);
    lab->worker = workers->idle;
    workers->idle = NULL;
    lab->is_reused = !workers->is_idle_new;
    workers->is_idle_new = false;
    call_limit(lab->worker, lab_settings_limit_ms(lab->settings, lab->timeout_ms));
    return lab->worker;
}

void lab_renew_worker(struct lab *lab) {
    if (lab->worker)
        call_close(lab->worker);
    lab->worker = NULL;
    lab->is_reused = false;
    lab->n_worked = 0;
}

static bool is_one_of(const char *verdict, const enum lab_verdict *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (verdict && strcmp(verdict, lab_verdict_word(list[i])) == 0)
            return true;
    }
    return false;
}

bool lab_release_worker(struct lab *lab, const char *verdict) {
    /* After a wrong answer, too, the worker goes on: what fails in it later is not believed alone.
     */
    static const enum lab_verdict idle[] = {LAB_PASS, LAB_NOT_WRITTEN, LAB_NO_ENTRY,
                                            LAB_WRONG_ANSWER};
    /* Nothing ran that could have left a worker unfit. */
    static const enum lab_verdict not_run[] = {LAB_SKIPPED, LAB_LOAD_FAILED};
    /* A pass can't come from state that should not be there, since all inputs are new; the others
     * would end in the same way again, a time-out at the cost of another time limit. */
    static const enum lab_verdict sure[] = {LAB_PASS, LAB_NOT_WRITTEN, LAB_NO_ENTRY, LAB_TIMEOUT};

    if (lab->worker && may_reuse(lab) && is_one_of(verdict, idle, sizeof idle / sizeof *idle)) {
        lab->settings->workers->idle = lab->worker;
    } else if (lab->worker) {
        call_close(lab->worker);
        if (may_reuse(lab) && !is_one_of(verdict, not_run, sizeof not_run / sizeof *not_run))
            lab->settings->workers->n_lost++;
    }
    lab->worker = NULL;
    return lab->is_reused && !is_one_of(verdict, sure, sizeof sure / sizeof *sure);
}

void lab_workers_open(const struct lab_settings *settings) {
    struct lab_workers *workers = settings->workers;
    struct call_settings call = lab_call_settings(settings, CALL_GPU, settings->timeout_ms);
    struct call_result result = {0};
    struct call_device device;

    if (settings->never_loads || workers->idle)
        return;
    call.seed = settings->seed;
    workers->idle = call_open(&call);
    if (workers->idle && call_device(workers->idle, &device, &result) != CALL_OK) {
        call_close(workers->idle);
        workers->idle = NULL;
    }
    call_result_clear(&result);
    workers->is_idle_new = workers->idle != NULL;
    if (!workers->idle)
        return;
    workers->device = device;
    workers->is_device_known = true;
}

void lab_workers_close(struct lab_workers *workers) {
    if (workers->idle)
        call_close(workers->idle);
    if (workers->clean)
        call_close(workers->clean);
    workers->idle = workers->clean = NULL;
}

void lab_take_result(struct lab *lab, struct call_result *result) {
    if (lab->has_last)
        call_result_clear(&lab->last);
    json_decref(lab->report);
    lab->last = *result;
    lab->n_calls++;
    if (result->is_loading)
        lab_settings_note_never_loads(lab->settings);
    lab->has_last = true;
    lab->report = NULL;
    lab_take_report(lab, result->report);
}

void lab_take_report(struct lab *lab, const char *text) {
    if (text)
        lab->report = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
}

const char *lab_called(const struct lab *lab, char *text, size_t bytes) {
    if (lab->current && lab->described)
        snprintf(text, bytes, "%s (%s)", lab->function, lab->described);
    else if (lab->current)
        snprintf(text, bytes, "%s (n = %zu, block = %u)", lab->function, lab->current->n,
                 lab->current->block);
    else
        snprintf(text, bytes, "%s", lab->function);
    return text;
}

/* Notes a verdict with the call's message, or with `otherwise` where that is empty. A message is a
 * sentence but for the capital letter and the full stop; it may begin with the function's name. */
static void note_message(struct lab *lab, enum lab_verdict verdict, const char *otherwise) {
    const char *message = lab->last.message[0] != '\0' ? lab->last.message : otherwise;
    size_t length = strlen(message);
    const char *stop = length > 0 && message[length - 1] == '.' ? "" : ".";
    bool is_name = strncmp(message, lab->function, strlen(lab->function)) == 0;
    char first = (char)(is_name ? message[0] : toupper((unsigned char)message[0]));

    if (is_name && lab->described)
        lab_note(lab, verdict, NULL, "%s (%s)%s%s", lab->function, lab->described,
                 message + strlen(lab->function), stop);
    else
        lab_note(lab, verdict, NULL, "%c%s%s", first, message + 1, stop);
}

/* What the simulator says of a call that it refuses, and the mistake that this is. */
static const char *known_refusal(const char *message) {
    static const struct {
        const char *said, *id;
    } refusals[] = {
        {"Too many threads in a block: ", "block_refused"},
        {"A fill of ", "fill_past_the_end"},
        {" was refused: it reads ", "copy_past_the_end"},
        {" was refused: it writes ", "copy_past_the_end"},
    };

    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (strstr(message, refusals[i].said))
            return refusals[i].id;
    return NULL;
}

static void note_cuda_error(struct lab *lab) {
    char otherwise[256];

    snprintf(otherwise, sizeof otherwise, "%s returned %s%s", lab->function,
             lab->last.returned != 0 ? "" : "cudaSuccess, but left behind ",
             lab->last.cuda_error_name);
    note_message(lab, LAB_CUDA_ERROR, otherwise);
    lab_diagnose(lab, known_refusal(lab->last.message));
}

/* What a signal usually means in host code that calls a GPU. */
static const char *crash_advice(int signal) {
    if (signal == SIGSEGV || signal == SIGBUS)
        return "The host code touched memory that isn't there: a device pointer can't be followed "
               "on the host";
    return signal == SIGFPE ? "The host code divided by zero" : "The process was killed";
}

/* Memory that ran out, or a process that was killed, may be the student's fault or the machine's.
 * After the first try the test is run again, alone. Then it counts, unless this machine was short
 * of memory: it has less to spare than a submission may have, or the kernel has killed a program,
 * which no student can bring about without using up memory. True where the machine is to blame. */
static bool is_machines_fault(struct lab *lab) {
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

    if (is_machines_fault(lab))
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
    char called[LAB_CALLED_BYTES];

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

/* Work of the function has no order with the copies of its buffers that the worker puts into the
 * default stream before the call and after it. */
static bool is_apart_from_default(const struct lab *lab) {
    const json_t *finding;
    size_t index;

    json_array_foreach(json_object_get(lab_report(lab), "findings"), index, finding) {
        const char *message = json_string_value(json_object_get(finding, "message"));
        if (lab_is_between_streams(finding) &&
            strcasestr(message, "the caller's work in the default stream"))
            return true;
    }
    return false;
}

/* Notes a finding with the simulator's message. Where the finding is that the simulator stopped the
 * kernel, since it had spent its budget or its time, the verdict is a time-out. */
static void note_finding(struct lab *lab, const json_t *finding) {
    bool is_stop = lab_is_stop(json_string_value(json_object_get(finding, "kind")));
    const char *message = json_string_value(json_object_get(finding, "message"));
    char called[LAB_CALLED_BYTES];

    lab_called(lab, called, sizeof called);
    if (lab_is_between_streams(finding) && is_apart_from_default(lab))
        lab_note_known(lab, "other_stream", LAB_FINDING, "%s: %s", called, message);
    else
        lab_note(lab, is_stop ? LAB_TIMEOUT : LAB_FINDING, NULL, "%s: %s", called,
                 message ? message : "the simulator found a mistake.");
}

bool lab_judge_call(struct lab *lab) {
    const struct call_result *last = &lab->last;
    const json_t *finding;

    if (strcmp(lab->tier, "technique") == 0)
        lab_report(lab); /* where counters are asked for, a call must have them */
    if (last->report && !json_is_object(lab->report)) {
        lab_note(lab, LAB_PROTOCOL, NULL, "The worker of %s sent a report that can't be read.",
                 lab->function);
        return false;
    }
    finding = lab_worst_finding(lab);
    if (finding)
        note_finding(lab, finding);
    else if (last->outcome == CALL_OK && last->damage.kind != CALL_INTACT)
        note_damage(lab);
    else if (last->outcome != CALL_OK)
        note_outcome(lab);
    else
        return strcmp(lab->tier, "technique") != 0 || lab_judge_kernels(lab);
    return false;
}

bool lab_has_worked(const struct lab *lab) {
    for (size_t i = 0; i < lab->n_worked; i++)
        if (strcmp(lab->worked[i], lab->function) == 0)
            return true;
    return false;
}

/* Remembers what the last call was of, where a kernel stored something. */
static void note_work(struct lab *lab) {
    if (lab->has_last && lab->last.outcome == CALL_OK && !lab->last.is_idle &&
        !lab_has_worked(lab) && lab->n_worked < sizeof lab->worked / sizeof *lab->worked)
        lab->worked[lab->n_worked++] = lab->function;
}

void lab_call_unjudged(struct lab *lab, const char *function, struct call_arg *args,
                       size_t n_args) {
    struct call_result result = {0};

    if (n_args > CALL_MAX_ARGS)
        lab_stop(lab, LAB_INFRASTRUCTURE, "This test calls %s with too many arguments.", function);
    note_work(lab);
    lab->function = function;
    lab->is_host_code = false;
    memcpy(lab->args, args, n_args * sizeof *args);
    lab->n_args = n_args;
    if (lab->settings->trial)
        lab_trial_begin(lab);
    call_under(lab_worker(lab), &lab->conditions);
    call_run(lab_worker(lab), function, args, n_args, &result);
    lab_take_result(lab, &result);
    if (lab->settings->trial)
        lab_trial_note(lab);
}

bool lab_call_args(struct lab *lab, const char *function, struct call_arg *args, size_t n_args) {
    if (lab->now.verdict != LAB_PASS)
        return false;
    lab_call_unjudged(lab, function, args, n_args);
    bool is_good = lab_judge_call(lab) && lab_judge_kept(lab);
    lab->has_called |= is_good;
    return is_good;
}

bool lab_call_host_args(struct lab *lab, const char *function, struct call_arg *args,
                        size_t n_args) {
    bool is_good = lab_call_args(lab, function, args, n_args);

    lab->is_host_code = true;
    return is_good;
}

/* Why a call returned success though what it was asked for is refused; NULL: nobody knows, as where
 * it launched something else. */
static const char *cause_of_success(const struct lab *lab) {
    return lab_was_refused(lab)       ? "launch_error_swallowed"
           : lab_n_launches(lab) == 0 ? "nothing_launched"
                                      : NULL;
}

bool lab_call_refused_args(struct lab *lab, const char *function, const char *why,
                           struct call_arg *args, size_t n_args) {
    char called[LAB_CALLED_BYTES];

    if (lab->now.verdict != LAB_PASS)
        return false;
    lab_call_unjudged(lab, function, args, n_args);
    if (lab->last.outcome == CALL_CUDA_ERROR && lab->last.returned != 0 && !lab_worst_finding(lab))
        return true;
    lab_called(lab, called, sizeof called);
    if (lab->last.outcome == CALL_OK || lab->last.outcome == CALL_CUDA_ERROR)
        lab_note_known(lab, cause_of_success(lab), LAB_CUDA_ERROR,
                       "%s returned cudaSuccess, though the device refuses %s. A caller would take "
                       "whatever lies in its output for a result.",
                       called, why);
    else
        lab_judge_call(lab);
    return false;
}

bool lab_call_invalid_args(struct lab *lab, const char *function, const char *why,
                           struct call_arg *args, size_t n_args) {
    enum { INVALID_VALUE = 1 };
    char called[LAB_CALLED_BYTES];

    if (lab->now.verdict != LAB_PASS)
        return false;
    lab_call_unjudged(lab, function, args, n_args);
    lab_called(lab, called, sizeof called);
    if (lab->last.outcome == CALL_CUDA_ERROR && lab->last.returned == INVALID_VALUE)
        return true;
    if (lab->last.outcome == CALL_OK || lab->last.outcome == CALL_CUDA_ERROR)
        lab_fail(lab, "cuda_error", "%s must return cudaErrorInvalidValue for %s. It returned %s.",
                 called, why,
                 lab->last.outcome == CALL_OK ? "cudaSuccess" : lab->last.cuda_error_name);
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
