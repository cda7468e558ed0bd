/*
 * Known mistakes, recognised by what they do: by the simulator's findings and counters, or by a
 * value that is just what the mistake would make (known.c). The ids are the manifest's `diagnoses`;
 * those that a kind of finding tells alone are named there, not here. A mistake is named only where
 * all that its text says was seen; where that is true of none, none is.
 */
#include <string.h>

#include "labs/05-pi-trapezoid/tests/pi_case.h"

/* The failing call. */
struct scene {
    const struct lab *lab;
    size_t n;
    unsigned block, blocks;
    const double *got; /* there in a wrong answer, but gone once counters are looked at */
};

enum { PI = 4 }; /* an argument */

/* Nothing was written to *pi. */
static const char *unwritten(const struct scene *s) {
    if (s->n == 0)
        return "empty_input_not_stored";
    if (lab_report(s->lab) == NULL)
        return NULL;
    if (lab_n_launches(s->lab) == 0)
        return "nothing_launched";
    if (lab_counter_total(s->lab, "atomics") > 0)
        return NULL; /* what those wrote nobody counts */
    return lab_counter_total(s->lab, "global_stores") == 0 ? "kernel_not_written" : "pi_not_stored";
}

static const char *wrong_value(const struct scene *s) {
    if ((lab_last(s->lab)->untouched >> PI & 1) != 0)
        return unwritten(s);
    const char *id = pi_known_result(s->n, s->block, s->blocks, *s->got);
    /* The other mistakes are those of kernels. */
    return s->n > 0 && lab_launched_nothing(s->lab) &&
                   (id == NULL || strcmp(id, "constant_pi") != 0)
               ? "nothing_launched"
               : id;
}

static const char *past_shared(const struct lab_launch *launch, int64_t index) {
    return index >= 0 && launch->shared_bytes < launch->n_threads * sizeof(double) &&
                   (launch->dynamic_bytes > 0 || launch->shared_bytes == 0)
               ? "no_dynamic_shared"
               : NULL;
}

/* An access that stopped the last launch. */
static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    struct lab_launch launch = lab_launch(s->lab, lab_n_launches(s->lab) - 1);
    struct lab_side here = lab_finding_side(finding, "here");
    int64_t index = lab_finding_index(finding);

    if (lab_n_launches(s->lab) == 0)
        return NULL;
    if (lab_finding_is_at(finding, "scratch") && here.reads)
        return index >= (int64_t)s->blocks ? "reads_past_the_partials" : NULL;
    if (lab_finding_is_at(finding, "scratch"))
        return here.writes && lab_launch(s->lab, 0).n_blocks != s->blocks ? "other_grid" : NULL;
    if (lab_finding_is_at(finding, "pi"))
        return here.writes && index > 0 && index == here.block ? "partials_into_pi" : NULL;
    return past_shared(&launch, index);
}

/* Threads that are gone when others wait: those without a point, or those that went past a barrier
 * in a branch and on to the end. */
static const char *divergent_barrier(const struct scene *s, const json_t *finding) {
    struct lab_side other = lab_finding_side(finding, "other");
    uint64_t n_threads = lab_launch(s->lab, 0).n_threads;

    return other.leaves && other.block >= 0 && other.thread >= 0 &&
                   (uint64_t)other.block * n_threads + (uint64_t)other.thread > s->n
               ? "early_return"
               : "barrier_in_branch";
}

/* A word is read while another thread writes it. */
static bool is_read_and_write(const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");

    return (here.reads && other.writes) || (here.writes && other.reads);
}

static bool is_written_twice(const json_t *finding) {
    return lab_finding_side(finding, "here").writes && lab_finding_side(finding, "other").writes;
}

/* *pi, by what its reader does; a word of shared memory, by the thread that should have filled it.
 */
static const char *uninitialised(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    size_t last = lab_n_launches(s->lab) - (lab_n_launches(s->lab) > 0);
    uint64_t n_threads = lab_launch(s->lab, 0).n_threads;
    bool is_added = lab_counter_line(s->lab, last, "atomics", here.line) > 0 ||
                    lab_counter_line(s->lab, last, "global_stores", here.line) > 0;

    if (lab_finding_is_at(finding, "pi"))
        return is_added ? "pi_not_zeroed" : NULL;
    if (lab_finding_is_at(finding, "scratch")) /* whose block had a point, and did not leave */
        return (uint64_t)lab_finding_index(finding) * n_threads <= s->n ? "reads_unwritten_partials"
                                                                        : NULL;
    return here.block >= 0 && ((uint64_t)here.block + 1) * n_threads > s->n + 1 ? "tail_not_zeroed"
                                                                                : NULL;
}

/* A finding of the failing call, in the order in which the result names them. */
static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(s, finding);
    if ((finding = lab_finding(s->lab, "divergent_barrier")) != NULL)
        return divergent_barrier(s, finding);
    if ((finding = lab_finding(s->lab, "shared_race")) != NULL)
        return is_read_and_write(finding) && lab_counter_total(s->lab, "barriers") == 0
                   ? "no_barrier"
                   : NULL;
    if ((finding = lab_finding(s->lab, "global_race")) != NULL)
        return is_written_twice(finding) ? "every_thread_writes" : NULL;
    finding = lab_finding(s->lab, "uninitialised");
    return finding != NULL ? uninitialised(s, finding) : NULL;
}

/* An error of the runtime, returned or left behind. */
static const char *refused(const struct scene *s) {
    if (s->block > 1024)
        return lab_swallowed_error(s->lab) ? "launch_error_swallowed" : NULL;
    return s->n == 0 && lab_grid_was_empty(s->lab, s->block) ? "empty_input_not_handled" : NULL;
}

/* Bytes behind pi. Behind scratch, a launch of more blocks writes, or what is a mistake of another
 * kind; on a GPU, which alone leaves such damage, nobody counts the blocks. */
static const char *damaged(const struct scene *s) {
    const struct call_damage *damage = &lab_last(s->lab)->damage;

    return damage->kind == CALL_GUARD_AFTER && damage->arg == PI ? "partials_into_pi" : NULL;
}

void pi_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *n = lab_argument(lab, "n"), *block = lab_argument(lab, "block");
    const struct call_arg *blocks = lab_argument(lab, "blocks"), *pi = lab_argument(lab, "pi");
    const char *id = NULL;
    struct scene s;

    (void)c;
    if (n == NULL || block == NULL || blocks == NULL || pi == NULL)
        return;
    s = (struct scene){.lab = lab,
                       .n = n->value.u64,
                       .block = (unsigned)block->value.u64,
                       .blocks = (unsigned)blocks->value.u64,
                       .got = pi->data};
    if (strcmp(verdict, "wrong_answer") == 0)
        id = wrong_value(&s);
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (lab_finding(lab, "endless") != NULL)
        id = "endless_loop";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = refused(&s);
    else if (strcmp(verdict, "damage") == 0)
        id = damaged(&s);
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
