/*
 * Known mistakes, recognised by what they do: by the simulator's findings, or by a result that is
 * just what the mistake would make of these inputs.
 */
#include <signal.h>
#include <string.h>

#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

/* The failing call, and its first wrong output. */
struct scene {
    const struct lab *lab;
    const struct shuffle *f;
    const float *in; /* NULL where there are too many to be kept */
    size_t n, index; /* elements; the output that is wrong */
    unsigned block;
    const float *out;
    const float *group; /* the elements whose sum out[index] should be */
    size_t n_group;
};

/* The sum of a group's first elements. */
static double sum_of(const struct scene *s, size_t count) {
    double sum = 0;

    for (size_t i = 0; i < count && i < s->n_group; i++)
        sum += (double)s->group[i];
    return sum;
}

/* Number of the lane that the wrong output belongs to. */
static size_t lane_of(const struct scene *s) {
    return s->f->for_each ? s->index % 32 : 0;
}

/* The sum over the lanes that agree with the output's lane in one bit: what is left out where the
 * step of that bit is missing. */
static double sum_without_step(const struct scene *s, size_t bit) {
    double sum = 0;

    for (size_t lane = 0; lane < s->n_group; lane++)
        if ((lane & bit) == (lane_of(s) & bit))
            sum += (double)s->group[lane];
    return sum;
}

/* In a warp's sum, by what out[index] holds. */
static const char *wrong_warp(const struct scene *s) {
    double got = (double)s->out[s->index];

    if (s->f->for_each && lane_of(s) > 0)
        return "only_lane_0_has_it"; /* lane 0's was right */
    if (got == 2 * sum_without_step(s, 16))
        return "wrong_width";
    if (got == 32 * (double)s->group[0])
        return "wrong_direction";
    for (size_t bit = 1; bit < 32; bit *= 2)
        if (got == sum_without_step(s, bit))
            return "step_missing";
    return NULL;
}

/* The sum that a block comes to whose elements are taken to lie `threads` apart from the last
 * block's. */
static double sum_apart(const struct scene *s, size_t threads) {
    double sum = 0;

    for (size_t i = s->index * threads; i < s->n && i < s->index * threads + s->block; i++)
        sum += (double)s->in[i];
    return sum;
}

/* In a block's sum. */
static const char *wrong_block(const struct scene *s) {
    double got = (double)s->out[s->index];

    if (s->n_group > 32 && got == sum_of(s, 32))
        return "other_warps_missing";
    if (s->n_group % 32 != 0 && got == sum_of(s, s->n_group - s->n_group % 32))
        return "last_warp_missing";
    if (s->index > 0 && s->block % 32 != 0 && got == sum_apart(s, (s->block + 31) / 32 * 32))
        return "wrong_tile";
    return s->n_group < s->block ? "dropped_partial_block" : NULL;
}

/* In the grid's sum. */
static const char *wrong_grid(const struct scene *s) {
    double got = (double)s->out[0];

    return got != 0 && got == 32 * sum_of(s, s->n) ? "every_lane_adds" : NULL;
}

static const char *beyond_int(const struct scene *s) {
    return lab_fails_only_beyond(s->lab, s->n, INT32_MAX) ? "index_overflow" : NULL;
}

static const char *unwritten(const struct scene *s) {
    if (s->n == 0)
        return "empty_input_not_stored";
    if (lab_report(s->lab) == NULL)
        return NULL;
    return lab_n_launches(s->lab) == 0 ? "nothing_launched" : "not_stored";
}

/* Fills in the group of the wrong output. */
static void find_group(struct scene *s) {
    size_t group = shuffle_group(s->f, s->n, s->block), first = 0;

    s->index = lab_mismatch_index(s->lab);
    if (group > 0)
        first = s->f->for_each ? s->index - s->index % group : s->index * group;
    s->group = s->in + first;
    s->n_group = s->n - first < group ? s->n - first : group;
}

static const char *wrong_answer(struct scene *s) {
    if ((lab_last(s->lab)->untouched >> 3 & 1) != 0)
        return unwritten(s);
    if (s->in == NULL || s->n == 0)
        return beyond_int(s);
    find_group(s);
    if (s->f == &grid)
        return wrong_grid(s);
    return s->f == &blocks ? wrong_block(s) : wrong_warp(s);
}

static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    if (lab_finding_is_at(finding, "in"))
        return s->f == &blocks && s->block % 32 != 0 ? "wrong_tile" : "reads_past_the_end";
    return lab_finding_is_at(finding, s->f->output) ? "stores_past_the_end" : "too_few_slots";
}

/* True when one side of the finding waits at the block's barrier. */
static bool is_at_barrier(const json_t *finding, const char *side) {
    return strstr(lab_finding_what(finding, side), "barrier") != NULL;
}

/* One side adds to *sum atomically, the other one stores there. */
static bool is_half_atomic(const json_t *finding) {
    bool here = strstr(lab_finding_what(finding, "here"), "atomically") != NULL;
    bool other = strstr(lab_finding_what(finding, "other"), "atomically") != NULL;

    return here != other && (strcmp(lab_finding_what(finding, "here"), "writes") == 0 ||
                             strcmp(lab_finding_what(finding, "other"), "writes") == 0);
}

/* A finding of the failing call, in the order in which the result names them. */
static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(s, finding);
    if (lab_finding(s->lab, "divergent_barrier") != NULL)
        return NULL; /* the manifest knows */
    if (lab_finding(s->lab, "shared_race") != NULL)
        return "no_barrier";
    if ((finding = lab_finding(s->lab, "global_race")) != NULL)
        return is_half_atomic(finding) ? "cleared_too_late" : "several_lanes_store";
    finding = lab_finding(s->lab, "deadlock");
    if (finding != NULL && (is_at_barrier(finding, "here") || is_at_barrier(finding, "other")))
        return "barrier_in_branch";
    if (finding != NULL || lab_finding(s->lab, "shuffle_inactive") != NULL)
        return s->f == &blocks && s->block % 32 != 0 ? "partial_warp" : "lanes_missing";
    finding = lab_finding(s->lab, "uninitialised");
    return finding != NULL && lab_finding_is_at(finding, "sum") ? "sum_not_zeroed" : NULL;
}

static const struct shuffle *function_of(const struct lab *lab) {
    static const struct shuffle *const all[] = {&warps_all, &warps_first, &blocks, &grid};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->function, lab_function(lab)) == 0)
            return all[i];
    return NULL;
}

void shuffle_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, "in"), *block = lab_argument(lab, "block");
    const struct shuffle *f = function_of(lab);
    const char *id = NULL;
    struct scene s;

    (void)c;
    if (f == NULL || in == NULL || block == NULL)
        return;
    s = (struct scene){.lab = lab,
                       .f = f,
                       .in = in->data,
                       .n = in->count,
                       .block = (unsigned)block->value.u64,
                       .out = lab_argument(lab, f->output)->data};
    if (strcmp(verdict, "wrong_answer") == 0)
        id = wrong_answer(&s);
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (strcmp(verdict, "timeout") == 0 && lab_finding(lab, "endless") != NULL)
        id = "endless_loop";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = s.n == 0 ? "empty_input_not_handled" : s.n < s.block ? "dropped_partial_block" : NULL;
    else if (strcmp(verdict, "damage") == 0)
        id = lab_last(lab)->damage.arg == 0 ? "input_modified" : "stores_past_the_end";
    else if (strcmp(verdict, "crash") == 0 && lab_last(lab)->signal == SIGSEGV)
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
