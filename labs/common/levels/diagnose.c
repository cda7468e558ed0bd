/*
 * Known mistakes, recognised by what they do: by the simulator's findings and counters, or by a
 * result that is just what the mistake would make of these inputs. A mistake is named only where
 * all that its text says was seen; where that is true of none, none is. The ids are the manifest's
 * `diagnoses`; those that a kind of finding tells alone are named there, not here.
 */
#include <stdlib.h>
#include <string.h>

#include "labs/common/levels/sum.h"

/* The failing call. */
struct scene {
    const struct lab *lab;
    const struct levels_sum *sum;
    const int32_t *in; /* NULL where there are too many to be kept */
    size_t n;
    unsigned block;     /* threads */
    size_t share;       /* elements of a block; 0 where nobody knows */
    const int32_t *got; /* there in a wrong answer, but gone once counters are looked at */
};

/* How the levels go: blocks make `tree` of their tiles (NULL: the right sum); their number is
 * rounded up, or down; threads without an int bring 0, or the last int once more. */
struct way {
    int32_t (*tree)(int32_t *, unsigned);
    bool rounds_down, repeats_last;
};

/* What a sum comes to in this way. False where that does not end in a sum. */
static bool reduce(const struct scene *s, struct way way, int32_t *sum) {
    size_t n = s->n, blocks;
    int32_t *level = malloc((n / s->share + 1) * sizeof *level);
    int32_t *tile = malloc(s->share * sizeof *tile);
    const int32_t *from = s->in;
    bool done = false;

    while (level != NULL && tile != NULL && n > 0 && !done) {
        blocks = way.rounds_down ? n / s->share : (n + s->share - 1) / s->share;
        for (size_t b = 0; b < blocks; b++) {
            size_t rest = n - b * s->share;

            if (rest > s->share)
                rest = s->share;
            memset(tile, 0, s->share * sizeof *tile);
            memcpy(tile, from + b * s->share, rest * sizeof *tile);
            for (size_t t = rest; t < s->share && way.repeats_last; t++)
                tile[t] = from[n - 1];
            level[b] =
                way.tree != NULL ? way.tree(tile, s->block) : levels_reference(tile, s->share);
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
    if (s->n > s->share)
        *sum = levels_reference(s->in, s->share);
    return s->n > s->share;
}

static bool first_level(const struct scene *s, int32_t *sum) {
    size_t n = s->share * s->share;

    if (s->n > n)
        *sum = levels_reference(s->in, n);
    return s->n > n;
}

static bool full_blocks(const struct scene *s, int32_t *sum) {
    size_t n = s->n - s->n % s->share;

    *sum = levels_reference(s->in, n);
    return n > 0 && n < s->n;
}

static bool rounded_down(const struct scene *s, int32_t *sum) {
    return reduce(s, (struct way){.rounds_down = true}, sum);
}

static bool last_repeated(const struct scene *s, int32_t *sum) {
    return reduce(s, (struct way){.repeats_last = true}, sum) &&
           *sum != levels_reference(s->in, s->n);
}

/* Mistakes of the levels and what the sum comes to with them; false where they make no difference.
 */
static const struct {
    const char *id;
    bool (*comes_to)(const struct scene *s, int32_t *sum);
} wrong_levels[] = {
    {"dropped_partial_block", full_blocks},  {"dropped_partial_block", rounded_down},
    {"partials_never_reduced", first_block}, {"single_level", first_level},
    {"last_repeated", last_repeated},
};

/* Whether a mistake that drops partial blocks (or another one) can be it: the simulator tells
 * whether the first launch had a block for each int; a GPU does not. */
static bool can_be(const struct scene *s, bool drops) {
    if (lab_report(s->lab) == NULL)
        return true;
    if (lab_launch(s->lab, 0).n_blocks * s->share < s->n)
        return drops;
    return !drops || s->n % s->share == 0; /* full blocks may be dropped at the next level */
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

    if (s->n > 0 && lab_launched_nothing(s->lab))
        return "nothing_launched";
    if (s->in == NULL)
        return beyond_int(s);
    if (s->share == 0)
        return NULL;
    for (size_t i = 0; i < sizeof wrong_levels / sizeof *wrong_levels; i++) {
        bool drops = strcmp(wrong_levels[i].id, "dropped_partial_block") == 0;

        if (can_be(s, drops) && wrong_levels[i].comes_to(s, &sum) && sum == *s->got &&
            !explain(&id, wrong_levels[i].id))
            return NULL;
    }
    for (size_t i = 0; i < s->sum->n_mistakes; i++)
        if (can_be(s, false) && reduce(s, (struct way){.tree = s->sum->mistakes[i].tree}, &sum) &&
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
    if (lab_counter_total(s->lab, "atomics") > 0)
        return NULL; /* what those wrote nobody counts */
    return lab_counter_total(s->lab, "global_stores") == 0 ? "kernel_not_written"
                                                           : "sum_not_stored";
}

static bool is_power_of_two(uint64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/* In shared memory: behind what the block has of it, or within, beyond its threads' words. */
static const char *past_shared(const struct scene *s, const struct lab_launch *launch,
                               int64_t index) {
    if (index < 0 || (uint64_t)index * sizeof(int32_t) < launch->shared_bytes)
        return NULL;
    if (launch->shared_bytes >= launch->n_threads * sizeof(int32_t))
        return is_power_of_two(launch->n_threads) ? s->sum->past_the_full_tile
                                                  : s->sum->past_the_tile;
    /* Less than an int a thread: an array of the kernel's own, or too little from the launch. */
    return launch->shared_bytes > 0 && launch->dynamic_bytes == 0 ? "fixed_tile"
                                                                  : "no_dynamic_shared";
}

/* True where the thread has no element at a level, or fewer than others have. */
static bool has_too_few(const struct scene *s, size_t level, const struct lab_side *side) {
    struct lab_side last = *side;

    if (s->share == 0)
        return true; /* nobody knows how many it has */
    if (last.thread >= 0)
        last.thread += (int64_t)(s->share - s->block);
    return levels_has_no_element(levels_n(s->n, (unsigned)s->share, level), s->share, &last);
}

/* An access that stopped the last launch. */
static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    size_t level = lab_n_launches(s->lab);
    struct lab_side here = lab_finding_side(finding, "here");
    int64_t index = lab_finding_index(finding);
    struct lab_launch launch;
    bool has_none;

    if (level-- == 0)
        return NULL;
    launch = lab_launch(s->lab, level);
    has_none = has_too_few(s, level, &here);
    if (lab_finding_is_at(finding, levels_input()))
        return here.reads && has_none && index >= (int64_t)s->n ? "reads_past_the_end" : NULL;
    if (lab_finding_is_at(finding, "scratch") && here.reads)
        return has_none && index >= 0 ? "reads_past_the_end" : NULL;
    if (lab_finding_is_at(finding, "scratch"))
        return here.writes && (index >= 0 || lab_finding_is_in_bytes(finding)) ? "scratch_overrun"
                                                                               : NULL;
    if (lab_finding_is_at(finding, "sum"))
        return here.writes && index > 0 && index == here.block ? "partials_into_sum" : NULL;
    return past_shared(s, &launch, index);
}

/* A thread reads a word of shared memory and another one writes it, with no barrier between. */
struct race {
    struct lab_side reader, writer;
    uint64_t blocks;              /* of the first launch */
    uint64_t warps, barriers;     /* of it: all warps; barriers that each waits at */
    uint64_t loads, stores;       /* at the reader's and the writer's line */
    bool is_one_line, is_in_warp; /* both sides at one line, in one warp */
    bool fills;                   /* the writer's line loads from global memory, too */
};

/* False where both sides write. */
static bool find_race(const struct scene *s, struct race *race) {
    const json_t *finding = lab_finding(s->lab, "shared_race");
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");
    struct lab_launch launch = lab_launch(s->lab, 0);

    if (!(here.reads && other.writes) && !(here.writes && other.reads))
        return false;
    race->reader = here.reads ? here : other;
    race->writer = here.reads ? other : here;
    race->blocks = launch.n_blocks;
    race->warps = launch.n_blocks * ((launch.n_threads + 31) / 32);
    race->barriers = lab_ratio(lab_counter(s->lab, 0, "barriers"), race->warps);
    race->loads = lab_counter_line(s->lab, 0, "shared_loads", race->reader.line);
    race->stores = lab_counter_line(s->lab, 0, "shared_stores", race->writer.line);
    race->fills = lab_counter_line(s->lab, 0, "global_loads", race->writer.line) > 0;
    race->is_one_line = here.line == other.line;
    race->is_in_warp = here.thread / 32 == other.thread / 32;
    return true;
}

/* In the right tree of lab 01, at whatever stride the two threads are apart, the writer is an even
 * multiple of it. */
static bool adds_though_it_should_rest(const struct race *race) {
    int64_t stride = race->writer.thread - race->reader.thread;

    return stride > 0 && is_power_of_two((uint64_t)stride) && race->reader.thread % stride == 0 &&
           race->writer.thread / stride % 2 == 1;
}

/* The steps of one warp alone are the last five of a halving stride: for all others there are
 * barriers. In a lab's smallest block there are no others, so nobody knows. */
static bool is_left_to_one_warp(const struct scene *s, const struct race *race) {
    unsigned n_steps = levels_steps(s->block);

    return s->sum->is_halving && race->is_in_warp && n_steps > 5 &&
           s->block != s->sum->least_block && race->barriers + 5 >= n_steps &&
           race->barriers + 3 <= n_steps;
}

/* Which barrier is missing tells where the two sides stand and how often each line is run. */
static const char *shared_race(const struct scene *s) {
    unsigned n_steps = levels_steps(s->block);
    struct race race;

    if (lab_counter_total(s->lab, "barriers") == 0)
        return "no_barrier";
    if (!find_race(s, &race))
        return NULL;
    /* A line that loads the input, or that each warp runs once, fills the tile; the lines of the
     * loop are run in each step, and where there is no loop, by fewer warps than there are. */
    if (!race.is_one_line && (race.fills || (race.stores == race.warps && n_steps > 1)))
        return race.writer.line < race.reader.line ? "barrier_missing_after_load" : NULL;
    if (!race.is_one_line && is_left_to_one_warp(s, &race) && race.loads <= 2 * race.blocks)
        return "warp_not_in_step"; /* its steps, written out line by line */
    if (!race.is_one_line && race.loads <= race.warps)
        return NULL;             /* behind the loop */
    if (race.barriers > n_steps) /* one behind the load, and one for each step */
        return s->sum->is_halving || adds_though_it_should_rest(&race) ? s->sum->too_many_add
                                                                       : NULL;
    if (is_left_to_one_warp(s, &race))
        return "warp_not_in_step";
    /* A tree that goes wrong has fewer steps than a right one, and may wait in each of them. */
    return race.barriers < n_steps && race.barriers < lab_ratio(race.stores, race.blocks)
               ? "barrier_missing_in_loop"
               : NULL;
}

/* In a word of the input that the function works on in place. Of two blocks, one is away from its
 * own part: it reads a neighbour, or leaves its sum where partial sums would begin. */
static const char *race_in_place(const struct scene *s, const json_t *finding,
                                 const struct lab_side *here, const struct lab_side *other) {
    int64_t index = lab_finding_index(finding);
    const struct lab_side *away = here->block == index / s->block ? other : here;

    if (here->block == other->block)
        return lab_counter_total(s->lab, "barriers") == 0 ? "no_barrier" : NULL;
    if (index < 0)
        return NULL;
    return away->writes && away->block == index ? "partials_in_place" : s->sum->past_the_tile;
}

static const char *global_race(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");

    if (s->sum->data != NULL && lab_finding_is_at(finding, s->sum->data))
        return race_in_place(s, finding, &here, &other);
    if (here.writes && other.writes)
        return here.block == other.block && here.line == other.line ? "every_thread_writes" : NULL;
    return s->sum->data == NULL && here.block != other.block &&
                   ((here.reads && other.writes) || (here.writes && other.reads))
               ? "partials_in_place"
               : NULL;
}

/* True where the thread is one of a level's last block that has no element there. */
static bool has_no_element(const struct scene *s, const struct lab_side *side) {
    for (size_t level = 0; s->share > 0 && level < lab_n_launches(s->lab); level++)
        if (levels_has_no_element(levels_n(s->n, (unsigned)s->share, level), s->share, side))
            return true;
    return false;
}

/* Threads that are gone when others wait: they left before they had filled their words of the tile,
 * or they went past a barrier in a branch and on to the end. */
static const char *divergent_barrier(const struct scene *s, const json_t *finding) {
    struct lab_side other = lab_finding_side(finding, "other");

    return other.leaves && has_no_element(s, &other) ? "early_return" : "barrier_in_branch";
}

/* *sum, by what its reader does. A word of the tile to which an unwritten one was added counts as
 * unwritten, too; so of the tile it is only asked whether it belongs to threads without an int. */
static const char *uninitialised(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    size_t last = lab_n_launches(s->lab) - (lab_n_launches(s->lab) > 0);
    struct lab_side last_thread = {.block = here.block, .thread = (int64_t)s->block - 1};
    bool is_added = lab_counter_line(s->lab, last, "atomics", here.line) > 0 ||
                    lab_counter_line(s->lab, last, "global_stores", here.line) > 0;

    if (lab_finding_is_at(finding, "sum"))
        return is_added ? "sum_not_zeroed" : NULL;
    if (lab_finding_is_at(finding, "scratch"))
        return "reads_unwritten_partials";
    return !lab_finding_is_at(finding, levels_input()) && has_no_element(s, &last_thread)
               ? "tail_not_zeroed"
               : NULL;
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
        return global_race(s, finding);
    finding = lab_finding(s->lab, "uninitialised");
    return finding != NULL ? uninitialised(s, finding) : NULL;
}

/* An error of the runtime, returned or left behind. */
static const char *refused(const struct scene *s) {
    enum { ILLEGAL_ADDRESS = 700 };

    if (lab_grid_was_empty(s->lab, s->block))
        return s->n == 0         ? "empty_input_not_handled"
               : s->n < s->share ? "dropped_partial_block"
                                 : NULL;
    if (s->block > 1024)
        return lab_swallowed_error(s->lab) ? "launch_error_swallowed" : NULL;
    return lab_last(s->lab)->cuda_error == ILLEGAL_ADDRESS ? beyond_int(s) : NULL;
}

static const char *damaged(const struct scene *s) {
    const struct call_damage *damage = &lab_last(s->lab)->damage;

    if (damage->kind == CALL_INPUT_CHANGED)
        return "input_modified";
    if (damage->kind != CALL_GUARD_AFTER)
        return NULL;
    return damage->arg == 3 ? "scratch_overrun" : damage->arg == 4 ? "partials_into_sum" : NULL;
}

void levels_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, levels_input()), *sum = lab_argument(lab, "sum");
    const struct call_arg *n = lab_argument(lab, "n"), *block = lab_argument(lab, "block");
    const char *id = NULL;
    const struct levels_sum *called = levels_called(lab);
    struct scene s;

    (void)c;
    if (called == NULL || in == NULL || sum == NULL || n == NULL || block == NULL)
        return;
    s = (struct scene){.lab = lab,
                       .sum = called,
                       .in = in->data,
                       .n = n->value.u64,
                       .block = (unsigned)block->value.u64,
                       .share = levels_share(called, (unsigned)block->value.u64),
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
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
