/*
 * Known mistakes, recognised by what they do: by the simulator's findings and counters, or by a
 * value that is just what the mistake would make (known.c). The ids are the manifest's `diagnoses`;
 * those that a kind of finding tells alone are named there, not here.
 */
#include <signal.h>
#include <string.h>

#include "labs/05-pi-trapezoid/tests/pi_case.h"

/* The failing call. */
struct scene {
    const struct lab *lab;
    size_t n;
    unsigned block, blocks;
    const double *got; /* there in a wrong answer, but gone once counters are looked at */
};

enum { SCRATCH = 3, PI = 4 }; /* arguments */

/* Nothing was written to *pi. */
static const char *unwritten(const struct scene *s) {
    if (s->n == 0)
        return "empty_input_not_stored";
    if (lab_report(s->lab) == NULL)
        return NULL;
    if (lab_n_launches(s->lab) == 0)
        return "nothing_launched";
    return lab_counter_total(s->lab, "global_stores") == 0 ? "kernel_not_written" : "pi_not_stored";
}

static const char *wrong_value(const struct scene *s) {
    if ((lab_last(s->lab)->untouched >> PI & 1) != 0)
        return unwritten(s);
    return pi_known_result(s->n, s->block, s->blocks, *s->got);
}

static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    struct lab_launch launch = lab_launch(s->lab, lab_n_launches(s->lab) - 1);

    if (lab_finding_is_at(
            finding, "scratch")) /* read where there is no partial sum, or a grid of one's own */
        return strcmp(lab_finding_what(finding, "here"), "reads") == 0 ? "reads_past_the_partials"
                                                                       : "other_grid";
    if (lab_finding_is_at(finding, "pi"))
        return "partials_into_pi";
    return launch.shared_bytes < launch.n_threads * sizeof(double) ? "no_dynamic_shared" : NULL;
}

/* Threads that are gone when others wait: those without a point, or those that went past a barrier
 * in a branch and on to the end. */
static const char *divergent_barrier(const struct scene *s, const json_t *finding) {
    if (strstr(lab_finding_what(finding, "other"), "leaves") != NULL &&
        s->n + 1 < (size_t)s->block * s->blocks)
        return "early_return";
    return "barrier_in_branch";
}

/* A finding of the failing call, in the order in which the result names them. */
static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(s, finding);
    if ((finding = lab_finding(s->lab, "divergent_barrier")) != NULL)
        return divergent_barrier(s, finding);
    if (lab_finding(s->lab, "shared_race") != NULL)
        return "no_barrier";
    if (lab_finding(s->lab, "global_race") != NULL)
        return "every_thread_writes";
    finding = lab_finding(s->lab, "uninitialised");
    if (finding == NULL)
        return NULL;
    return lab_finding_is_at(finding, "pi")        ? "pi_not_zeroed"
           : lab_finding_is_at(finding, "scratch") ? "reads_unwritten_partials"
                                                   : NULL;
}

/* An error of the runtime, returned or left behind. */
static const char *refused(const struct scene *s) {
    if (s->block > 1024)
        return "launch_error_swallowed";
    return s->n == 0 ? "empty_input_not_handled" : NULL;
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
        id = lab_last(lab)->damage.arg == SCRATCH ? "other_grid" : "partials_into_pi";
    else if (strcmp(verdict, "crash") == 0 && lab_last(lab)->signal == SIGSEGV)
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
