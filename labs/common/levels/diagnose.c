/*
 * Known mistakes, recognised by what they do: by the simulator's findings and counters, or by a
 * result that is just what the mistake would make of these inputs. The ids are the manifest's
 * `diagnoses`; those that a kind of finding tells alone are named there, not here.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "labs/common/levels/sum.h"

/* The failing call. */
struct scene {
    const struct lab *lab;
    const struct levels_sum *sum;
    const int32_t *in; /* NULL where there are too many to be kept */
    size_t n;
    unsigned block;
    const int32_t *got; /* there in a wrong answer, but gone once counters are looked at */
};

/* What a sum comes to whose blocks make `tree` of their tiles (NULL: the right sum), and whose
 * number of blocks is rounded down at each level, or up. False where that does not end in a sum. */
static bool reduce(const struct scene *s, int32_t (*tree)(int32_t *, unsigned), bool round_down,
                   int32_t *sum) {
    size_t n = s->n, blocks;
    int32_t *level = malloc((n / s->block + 1) * sizeof *level);
    int32_t *tile = malloc(s->block * sizeof *tile);
    const int32_t *from = s->in;
    bool done = false;

    while (level != NULL && tile != NULL && n > 0 && !done) {
        blocks = round_down ? n / s->block : (n + s->block - 1) / s->block;
        for (size_t b = 0; b < blocks; b++) {
            size_t rest = n - b * s->block;

            if (rest > s->block)
                rest = s->block;
            memset(tile, 0, s->block * sizeof *tile);
            memcpy(tile, from + b * s->block, rest * sizeof *tile);
            level[b] = tree != NULL ? tree(tile, s->block) : levels_reference(tile, rest);
        }
        done = blocks == 1;
        n = blocks;
        from = level;
    }
    if (done)
        *sum = level[0];
    free(level);
    free(tile);
    return done;
}

static bool first_block(const struct scene *s, int32_t *sum) {
    if (s->n > s->block)
        *sum = levels_reference(s->in, s->block);
    return s->n > s->block;
}

static bool first_level(const struct scene *s, int32_t *sum) {
    size_t n = (size_t)s->block * s->block;

    if (s->n > n)
        *sum = levels_reference(s->in, n);
    return s->n > n;
}

static bool full_blocks(const struct scene *s, int32_t *sum) {
    size_t n = s->n - s->n % s->block;

    *sum = levels_reference(s->in, n);
    return n > 0 && n < s->n;
}

static bool rounded_down(const struct scene *s, int32_t *sum) {
    return reduce(s, NULL, true, sum);
}

/* Mistakes of the levels and what the sum comes to with them; false where they make no difference.
 */
static const struct {
    const char *id;
    bool (*comes_to)(const struct scene *s, int32_t *sum);
} wrong_levels[] = {
    {"dropped_partial_block", full_blocks},
    {"dropped_partial_block", rounded_down},
    {"partials_never_reduced", first_block},
    {"single_level", first_level},
};

/* Whether a mistake that drops partial blocks (or another one) can be it: the simulator tells
 * whether the first launch had a block for each int; a GPU does not. */
static bool can_be(const struct scene *s, bool drops) {
    if (lab_report(s->lab) == NULL)
        return true;
    if (lab_launch(s->lab, 0).n_blocks * s->block < s->n)
        return drops;
    return !drops || s->n % s->block == 0; /* full blocks may be dropped at the next level */
}

static const char *beyond_int(const struct scene *s) {
    return lab_fails_only_beyond(s->lab, s->n, INT32_MAX) ? "index_overflow" : NULL;
}

/* Takes note of a mistake that explains the result; false where another one does, too, as on a GPU
 * with 33 ints in blocks of 32. */
static bool explain(const char **id, const char *mistake) {
    if (*id != NULL && strcmp(*id, mistake) != 0)
        return false;
    *id = mistake;
    return true;
}

/* The only mistake that explains the result; NULL for none and for several. */
static const char *wrong_sum(const struct scene *s) {
    const char *id = NULL;
    int32_t sum;

    if (s->in == NULL)
        return beyond_int(s);
    for (size_t i = 0; i < sizeof wrong_levels / sizeof *wrong_levels; i++) {
        bool drops = strcmp(wrong_levels[i].id, "dropped_partial_block") == 0;

        if (can_be(s, drops) && wrong_levels[i].comes_to(s, &sum) && sum == *s->got &&
            !explain(&id, wrong_levels[i].id))
            return NULL;
    }
    for (size_t i = 0; i < s->sum->n_mistakes; i++)
        if (can_be(s, false) && reduce(s, s->sum->mistakes[i].tree, false, &sum) &&
            sum == *s->got && !explain(&id, s->sum->mistakes[i].id))
            return NULL;
    return id;
}

/* Nothing was written to *sum. */
static const char *unwritten_sum(const struct scene *s) {
    if (s->n == 0)
        return "empty_input_not_stored";
    if (lab_report(s->lab) == NULL)
        return NULL;
    if (lab_n_launches(s->lab) == 0)
        return "nothing_launched";
    return lab_counter_total(s->lab, "global_stores") == 0 ? "kernel_not_written"
                                                           : "sum_not_stored";
}

static bool is_global(const json_t *finding) {
    return lab_finding_is_at(finding, "in") || lab_finding_is_at(finding, "scratch") ||
           lab_finding_is_at(finding, "sum");
}

static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    struct lab_launch launch = lab_launch(s->lab, 0);

    if (lab_finding_is_at(finding, "in"))
        return s->n > 0 ? "reads_past_the_end" : "empty_input_not_handled";
    if (lab_finding_is_at(finding, "scratch"))
        return strcmp(lab_finding_what(finding, "here"), "reads") == 0 ? "reads_past_the_end"
                                                                       : "scratch_overrun";
    if (lab_finding_is_at(finding, "sum"))
        return "partials_into_sum";
    if (launch.shared_bytes >= launch.n_threads * sizeof(int32_t))
        return s->sum->past_the_tile;
    /* Less than an int a thread: none at all, ints counted for bytes, or a fixed array. */
    return launch.shared_bytes == 0 || launch.shared_bytes == launch.n_threads ? "no_dynamic_shared"
                                                                               : "fixed_tile";
}

/* The warp of one side of a finding; the blocks of these labs have one dimension. */
static json_int_t warp_of(const json_t *finding, const char *side) {
    const json_t *thread = json_object_get(json_object_get(finding, side), "thread");

    return json_integer_value(json_array_get(thread, 0)) / 32;
}

static bool is_within_warp(const json_t *finding) {
    return warp_of(finding, "here") == warp_of(finding, "other");
}

/* Which barrier is missing tells where the two sides stand and how many barriers there are. */
static const char *shared_race(const struct scene *s) {
    struct lab_launch launch = lab_launch(s->lab, 0);
    uint64_t warps = launch.n_blocks * ((launch.n_threads + 31) / 32);
    uint64_t barriers = lab_ratio(lab_counter(s->lab, 0, "barriers"), warps);
    unsigned n_steps = levels_steps(s->block);
    int line, other_line;

    if (barriers == 0)
        return "no_barrier";
    lab_findings(s->lab, "shared_race", &line, &other_line);
    if (line != other_line && barriers >= n_steps)
        return "barrier_missing_after_load";
    if (barriers >= n_steps)
        return s->sum->too_many_add;
    /* Barriers in some steps of the loop, none in those of the last warp. */
    return barriers > 1 && is_within_warp(lab_finding(s->lab, "shared_race"))
               ? "warp_not_in_step"
               : "barrier_missing_in_loop";
}

static const char *global_race(const json_t *finding) {
    if (strcmp(lab_finding_what(finding, "here"), "writes") == 0 &&
        strcmp(lab_finding_what(finding, "other"), "writes") == 0)
        return "every_thread_writes";
    return "partials_in_place";
}

/* Threads that are gone when others wait: they left before they had filled their words of the tile,
 * or they went past a barrier in a branch and on to the end. */
static const char *divergent_barrier(const struct scene *s, const json_t *finding) {
    if (strstr(lab_finding_what(finding, "other"), "leaves") != NULL &&
        lab_finding(s->lab, "uninitialised") != NULL)
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
        return shared_race(s);
    if ((finding = lab_finding(s->lab, "global_race")) != NULL)
        return global_race(finding);
    finding = lab_finding(s->lab, "uninitialised");
    if (finding == NULL || !is_global(finding))
        return NULL;
    return lab_finding_is_at(finding, "sum") ? "sum_not_zeroed" : "reads_unwritten_partials";
}

/* An error of the runtime, returned or left behind. */
static const char *refused(const struct scene *s) {
    if (s->n == 0)
        return "empty_input_not_handled";
    if (s->block > 1024)
        return "launch_error_swallowed";
    if (s->n > INT32_MAX)
        return beyond_int(s);
    return s->n < s->block ? "dropped_partial_block" : NULL; /* a grid of no blocks */
}

static const char *damaged(const struct scene *s) {
    const struct call_damage *damage = &lab_last(s->lab)->damage;

    if (damage->kind == CALL_INPUT_CHANGED)
        return "input_modified";
    return damage->arg == 3 ? "scratch_overrun" : damage->arg == 4 ? "partials_into_sum" : NULL;
}

void levels_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, "in"), *sum = lab_argument(lab, "sum");
    const struct call_arg *n = lab_argument(lab, "n"), *block = lab_argument(lab, "block");
    const char *id = NULL;
    const struct levels_sum *called = levels_sums;
    struct scene s;

    (void)c;
    while (called->function != NULL && strcmp(called->function, lab_function(lab)) != 0)
        called++;
    if (called->function == NULL || in == NULL || sum == NULL || n == NULL || block == NULL)
        return;
    s = (struct scene){.lab = lab,
                       .sum = called,
                       .in = in->data,
                       .n = n->value.u64,
                       .block = (unsigned)block->value.u64,
                       .got = sum->data};
    if (strcmp(verdict, "wrong_answer") == 0)
        id = (lab_last(lab)->untouched >> 4 & 1) != 0 ? unwritten_sum(&s) : wrong_sum(&s);
    else if (strcmp(verdict, "finding") == 0)
        id = found(&s);
    else if (lab_finding(lab, "endless") != NULL)
        id = "endless_stride";
    else if (strcmp(verdict, "cuda_error") == 0)
        id = refused(&s);
    else if (strcmp(verdict, "damage") == 0)
        id = damaged(&s);
    else if (strcmp(verdict, "crash") == 0 && lab_last(lab)->signal == SIGSEGV)
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
