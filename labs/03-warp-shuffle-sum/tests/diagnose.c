/*
 * Known mistakes, recognised by what they do: by the simulator's findings, or by a result that is
 * just what the mistake would make of these inputs. A mistake is named only where all that its text
 * says was seen; where that is true of none, none is.
 */
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

/* True where each lane has what five shifts down leave there. What comes from beyond the warp is
 * one's own value again, or is not added. Sums of whole numbers are exact. */
static bool are_shifted_down(const struct scene *s, bool adds_own) {
    const float *out = s->out + (s->index - lane_of(s));
    double values[32] = {0};

    for (size_t lane = 0; lane < s->n_group; lane++)
        values[lane] = (double)s->group[lane];
    for (size_t distance = 16; distance > 0; distance /= 2)
        for (size_t lane = 0; lane < 32; lane++) /* upwards: what is read is of the step before */
            values[lane] += lane + distance < 32 ? values[lane + distance]
                            : adds_own           ? values[lane]
                                                 : 0;
    for (size_t lane = 0; lane < s->n_group; lane++)
        if ((double)out[lane] != values[lane])
            return false;
    return true;
}

/* In a warp's sum, by what out[index] holds. Few lanes leave several ways to come to it. */
static const char *wrong_warp(const struct scene *s) {
    double got = (double)s->out[s->index];
    bool is_open = s->n_group <= 16; /* halves of the warp are the whole, or nothing */

    if (s->f->for_each && lane_of(s) > 0)
        return are_shifted_down(s, true) || are_shifted_down(s, false) ? "only_lane_0_has_it"
                                                                       : NULL;
    if (!is_open && got != 0 && got == 2 * sum_without_step(s, 16)) /* 0 is twice 0, too */
        return "wrong_width";
    if (!is_open && got != 0 && got == 32 * (double)s->group[0])
        return "wrong_direction";
    for (size_t bit = 1; bit < 32 && !is_open; bit *= 2)
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

/* True where the output is that of a last, partial block, and the grid has none for it. */
static bool is_dropped(const struct scene *s) {
    return s->n_group < s->block && lab_report(s->lab) != NULL && lab_n_launches(s->lab) > 0 &&
           lab_launch(s->lab, 0).n_blocks == s->n / s->block;
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
    return is_dropped(s) ? "dropped_partial_block" : NULL;
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

/* A read behind the input, of a thread's own element, counted in blocks of what was launched or of
 * what was asked for; the grid's sum takes one element after the other. */
static const char *past_the_input(const struct scene *s, const struct lab_side *here,
                                  int64_t index) {
    struct lab_launch launch = lab_launch(s->lab, 0);

    if (!here->reads || index < (int64_t)s->n)
        return NULL;
    if (s->f == &grid)
        return "reads_past_the_end";
    if (launch.n_threads != s->block &&
        index == here->block * (int64_t)launch.n_threads + here->thread)
        return s->f == &blocks ? "wrong_tile" : NULL;
    return index == here->block * (int64_t)s->block + here->thread ? "reads_past_the_end" : NULL;
}

static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    size_t n_out = shuffle_n_out(s->f, s->n, s->block);
    struct lab_launch launch = lab_launch(s->lab, 0);
    struct lab_side here = lab_finding_side(finding, "here");
    int64_t index = lab_finding_index(finding);

    if (lab_finding_is_at(finding, "in"))
        return past_the_input(s, &here, index);
    if (lab_finding_is_at(finding, s->f->output))
        return here.writes && index >= (int64_t)n_out ? "stores_past_the_end" : NULL;
    /* Slots of shared memory, a word each: fewer than the block has warps. */
    return here.writes && index >= 0 && launch.shared_bytes > 0 &&
                   launch.shared_bytes / sizeof(float) < (launch.n_threads + 31) / 32
               ? "too_few_slots"
               : NULL;
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

/* One side adds to *sum atomically, the other one reads there, in one line: what it makes of it
 * comes too late. */
static bool is_read_beside_atomic(const json_t *finding) {
    bool here = strstr(lab_finding_what(finding, "here"), "atomically") != NULL;
    bool other = strstr(lab_finding_what(finding, "other"), "atomically") != NULL;

    return here != other &&
           lab_finding_side(finding, "here").line == lab_finding_side(finding, "other").line &&
           (strcmp(lab_finding_what(finding, "here"), "reads") == 0 ||
            strcmp(lab_finding_what(finding, "other"), "reads") == 0);
}

/* A warp reads what another one writes, or the other way round, and nobody waits for anybody. */
static const char *shared_race(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");
    bool is_read_and_write = (here.reads && other.writes) || (here.writes && other.reads);

    return is_read_and_write && here.thread / 32 != other.thread / 32 &&
                   lab_counter_total(s->lab, "barriers") == 0
               ? "no_barrier"
               : NULL;
}

static const char *global_race(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");

    if (is_half_atomic(finding))
        return lab_finding_is_at(finding, "sum") ? "cleared_too_late" : NULL;
    if (is_read_beside_atomic(finding))
        return lab_finding_is_at(finding, "sum") ? "update_not_atomic" : NULL;
    return here.writes && other.writes && here.line == other.line && here.block == other.block &&
                   here.thread / 32 == other.thread / 32 && lab_finding_is_at(finding, s->f->output)
               ? "several_lanes_store"
               : NULL;
}

/* A shuffle whose mask names lanes that don't come: the block does not have them, or they are
 * elsewhere. */
static const char *absent_lanes(const struct scene *s) {
    uint64_t n_threads = lab_launch(s->lab, 0).n_threads;

    return n_threads % 32 != 0 ? "partial_warp" : n_threads > 0 ? "lanes_missing" : NULL;
}

/* *sum, by what its reader does; a slot of shared memory, by whether the block has that warp. */
static const char *uninitialised(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    int64_t index = lab_finding_index(finding);
    uint64_t n_warps = (lab_launch(s->lab, 0).n_threads + 31) / 32;
    bool is_added = lab_counter_line(s->lab, 0, "atomics", here.line) > 0 ||
                    lab_counter_line(s->lab, 0, "global_stores", here.line) > 0;

    if (lab_finding_is_at(finding, "sum") || lab_finding_is_at(finding, "out"))
        return is_added && s->f == &grid ? "sum_not_zeroed" : NULL;
    return index >= (int64_t)n_warps && n_warps > 0 && n_warps < 32 ? "absent_warps" : NULL;
}

/* A finding of the failing call, in the order in which the result names them. */
static const char *found(const struct scene *s) {
    const json_t *finding;

    if ((finding = lab_finding(s->lab, "out_of_bounds")) != NULL)
        return out_of_bounds(s, finding);
    if (lab_finding(s->lab, "divergent_barrier") != NULL)
        return NULL; /* the manifest knows */
    if ((finding = lab_finding(s->lab, "shared_race")) != NULL)
        return shared_race(s, finding);
    if ((finding = lab_finding(s->lab, "global_race")) != NULL)
        return global_race(s, finding);
    finding = lab_finding(s->lab, "deadlock");
    if (finding != NULL && (is_at_barrier(finding, "here") || is_at_barrier(finding, "other")))
        return "barrier_in_branch";
    if (finding != NULL || lab_finding(s->lab, "shuffle_inactive") != NULL)
        return absent_lanes(s);
    finding = lab_finding(s->lab, "uninitialised");
    return finding != NULL ? uninitialised(s, finding) : NULL;
}

/* An error of the runtime, returned or left behind. */
static const char *refused(const struct scene *s) {
    if (!lab_grid_was_empty(s->lab, s->block))
        return NULL;
    return s->n == 0 ? "empty_input_not_handled" : s->n < s->block ? "dropped_partial_block" : NULL;
}

static const char *damaged(const struct scene *s) {
    const struct call_damage *damage = &lab_last(s->lab)->damage;

    if (damage->kind == CALL_INPUT_CHANGED)
        return "input_modified";
    return damage->kind == CALL_GUARD_AFTER && damage->arg == 3 ? "stores_past_the_end" : NULL;
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
        id = refused(&s);
    else if (strcmp(verdict, "damage") == 0)
        id = damaged(&s);
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
