/*
 * Known mistakes, recognised by what they do: by the simulator's findings and counters, or by a
 * result that is just what the mistake would make of these inputs (known.c). The ids are the
 * manifest's `diagnoses`; those that a kind of finding tells alone are named there, not here.
 */
#include <signal.h>
#include <string.h>

#include "labs/04-shared-memory-scan/tests/scan_case.h"

/* The failing call. */
struct scene {
    const struct lab *lab;
    const int32_t *in, *out;
    size_t n;
    unsigned block;
};

enum { SCRATCH = 3, OUT = 4 }; /* arguments */

/* Nothing was written to out. */
static const char *unwritten(const struct scene *s) {
    if (lab_report(s->lab) == NULL)
        return NULL;
    if (lab_n_launches(s->lab) == 0)
        return "nothing_launched";
    return lab_counter_total(s->lab, "global_stores") == 0 ? "kernel_not_written"
                                                           : "out_not_stored";
}

static const char *wrong_result(const struct scene *s) {
    if ((lab_last(s->lab)->untouched >> OUT & 1) != 0)
        return unwritten(s);
    return scan_known_result(s->lab, s->in, s->n, s->block, s->out);
}

static bool writes(const json_t *finding, const char *side) {
    return strcmp(lab_finding_what(finding, side), "writes") == 0;
}

static bool is_global(const json_t *finding) {
    return lab_finding_is_at(finding, "in") || lab_finding_is_at(finding, "scratch") ||
           lab_finding_is_at(finding, "out");
}

static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    struct lab_launch launch = lab_launch(s->lab, lab_n_launches(s->lab) - 1);
    bool is_write = writes(finding, "here");

    if (lab_finding_is_at(finding, "in"))
        return s->n > 0 ? "reads_past_the_end" : "empty_input_not_handled";
    if (lab_finding_is_at(finding, "scratch"))
        return is_write ? "scratch_overrun" : "reads_past_the_end";
    /* With no more tiles than ints, it is the last value that is one on. */
    if (lab_finding_is_at(finding, "out"))
        return !is_write                                      ? "reads_past_the_end"
               : s->n % s->block == 0 && scan_was_exclusive() ? "shifted_store"
                                                              : "writes_past_the_end";
    return launch.shared_bytes < launch.n_threads * sizeof(int32_t) ? "no_dynamic_shared"
                                                                    : "left_of_the_block";
}

/* Which barrier is missing: the one of the loop that is there lies between the read and the write
 * of a step, or behind both. Lines tell, since the loop's barriers are passed most often. */
static const char *shared_race(const struct scene *s, const json_t *finding) {
    struct lab_launch launch = lab_launch(s->lab, 0);
    uint64_t warps = launch.n_blocks * ((launch.n_threads + 31) / 32);
    unsigned n_steps = scan_steps(s->block);
    int here, other, barrier, read, write;

    if (warps == 0 || lab_counter(s->lab, 0, "barriers") == 0)
        return "no_barrier";
    lab_findings(s->lab, "shared_race", &here, &other);
    lab_counter_max_line(s->lab, 0, "barriers", &barrier);
    if (here == other)
        return "reads_and_writes_at_once";
    if (writes(finding, "here") && writes(finding, "other"))
        return NULL;
    read = writes(finding, "here") ? other : here;
    write = writes(finding, "here") ? here : other;
    if (write < read && lab_ratio(lab_counter(s->lab, 0, "barriers"), warps) >= 2 * n_steps)
        return "barrier_missing_after_load";
    return read < barrier && barrier < write ? "barrier_missing_after_write"
                                             : "barrier_missing_before_write";
}

static bool is_thread_0(const json_t *finding, const char *side) {
    const json_t *thread = json_object_get(json_object_get(finding, side), "thread");

    return json_is_array(thread) && json_integer_value(json_array_get(thread, 0)) == 0;
}

/* Threads that are gone when others wait. Thread 0 has an int and adds in no step: where it waits,
 * those that are gone had none, and where it is gone, the barrier stands in a branch of those that
 * add. */
static const char *divergent_barrier(const json_t *finding) {
    if (strstr(lab_finding_what(finding, "other"), "leaves") != NULL &&
        is_thread_0(finding, "here"))
        return "early_return";
    return "barrier_in_branch";
}

/* A finding of the failing call, in the order in which the result names them. */
static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(s, finding);
    if ((finding = lab_finding(s->lab, "divergent_barrier")) != NULL)
        return divergent_barrier(finding);
    if ((finding = lab_finding(s->lab, "shared_race")) != NULL)
        return shared_race(s, finding);
    if ((finding = lab_finding(s->lab, "global_race")) != NULL)
        return lab_finding_is_at(finding, "scratch") ? "totals_in_place" : NULL;
    finding = lab_finding(s->lab, "uninitialised");
    if (finding == NULL || !is_global(finding))
        return NULL;
    return lab_finding_is_at(finding, "out") ? "reads_unwritten_out" : "reads_unwritten_totals";
}

/* An error of the runtime, returned or left behind. */
static const char *refused(const struct scene *s) {
    if (s->n == 0)
        return "empty_input_not_handled";
    if (s->block > 1024)
        return "launch_error_swallowed";
    return "dropped_partial_tile"; /* a grid of no blocks: of tiles, or of tiles of totals */
}

static const char *damaged(const struct scene *s) {
    const struct call_damage *damage = &lab_last(s->lab)->damage;

    if (damage->kind == CALL_INPUT_CHANGED)
        return "input_modified";
    return damage->arg == SCRATCH ? "scratch_overrun"
           : damage->arg == OUT   ? "writes_past_the_end"
                                  : NULL;
}

void scan_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, "in"), *out = lab_argument(lab, "out");
    const struct call_arg *n = lab_argument(lab, "n"), *block = lab_argument(lab, "block");
    const char *id = NULL;
    struct scene s;

    (void)c;
    if (in == NULL || out == NULL || n == NULL || block == NULL)
        return;
    s = (struct scene){.lab = lab,
                       .in = in->data,
                       .out = out->data,
                       .n = n->value.u64,
                       .block = (unsigned)block->value.u64};
    if (strcmp(verdict, "wrong_answer") == 0)
        id = wrong_result(&s);
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (lab_finding(lab, "endless") != NULL)
        id = "endless_distance";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = refused(&s);
    else if (strcmp(verdict, "damage") == 0)
        id = damaged(&s);
    else if (strcmp(verdict, "crash") == 0 && lab_last(lab)->signal == SIGSEGV)
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
