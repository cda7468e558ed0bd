/*
 * Known mistakes, recognised by what they do: by the simulator's findings and counters, or by a
 * result that is just what the mistake would make of these inputs (known.c). The ids are the
 * manifest's `diagnoses`; those that a kind of finding tells alone are named there, not here.
 */
#include <signal.h>
#include <string.h>

#include "labs/common/scan/scan.h"
#include "labs/common/levels.h"

/* One of them is no power of two. */
const unsigned scan_small_blocks[SCAN_SMALL_BLOCKS] = {2, 3, 4, 8};

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
    if (lab_counter_total(s->lab, "atomics") > 0)
        return NULL; /* what those wrote nobody counts */
    if (lab_counter_total(s->lab, "global_stores") > 0)
        return "out_not_stored";
    return s->n > 1 ? "kernel_not_written"
                    : NULL; /* of one int, the first place may be forgotten */
}

static const char *wrong_result(const struct scene *s) {
    if ((lab_last(s->lab)->untouched >> OUT & 1) != 0)
        return unwritten(s);
    if (s->n > 0 && lab_launched_nothing(s->lab))
        return "nothing_launched";
    if (s->in == NULL || s->out == NULL)
        return NULL; /* gigabytes that lie nowhere */
    return scan_known_result(s->lab, s->in, s->n, s->block, s->out);
}

static const char *outside_shared(const struct lab_launch *launch, const struct lab_side *here,
                                  const json_t *finding) {
    if (lab_finding_is_before(finding))
        return here->reads ? "left_of_the_block" : NULL;
    return lab_finding_index(finding) >= 0 &&
                   launch->shared_bytes < launch->n_threads * sizeof(int32_t) &&
                   (launch->dynamic_bytes > 0 || launch->shared_bytes == 0)
               ? "no_dynamic_shared"
               : NULL;
}

/* True where each thread has one int at most, and this one has one. */
static bool has_own_int(const struct scene *s, const struct lab_launch *launch,
                        const struct lab_side *side) {
    uint64_t n_threads = launch->n_threads;

    return n_threads > 0 && launch->n_blocks == (s->n + n_threads - 1) / n_threads &&
           (uint64_t)side->block * n_threads + (uint64_t)side->thread < s->n;
}

/* A write behind out: of the value that is one on, where all tiles are full, or by a thread that
 * has an int; else of a thread of the last tile, which is not full. */
static const char *past_out(const struct scene *s, const struct lab_launch *launch,
                            const struct lab_side *here, int64_t index) {
    bool is_full = launch->n_blocks > 0 && s->n % launch->n_blocks == 0 &&
                   s->n / launch->n_blocks % s->block == 0;

    if (is_full || has_own_int(s, launch, here))
        return index == (int64_t)s->n && scan_was_exclusive() ? "shifted_store" : NULL;
    return index >= (int64_t)s->n ? "writes_past_the_end" : NULL;
}

/* An access that stopped the last launch. */
static const char *out_of_bounds(const struct scene *s, const json_t *finding) {
    struct lab_launch launch;
    struct lab_side here = lab_finding_side(finding, "here");
    int64_t index = lab_finding_index(finding);
    bool is_last;

    if (lab_n_launches(s->lab) == 0)
        return NULL;
    launch = lab_launch(s->lab, lab_n_launches(s->lab) - 1);
    is_last = here.block + 1 == (int64_t)launch.n_blocks;
    if (lab_finding_is_at(finding, "in"))
        return here.reads && is_last && s->n > 0 && index >= (int64_t)s->n ? "reads_past_the_end"
                                                                           : NULL;
    if (lab_finding_is_at(finding, "scratch") && (index >= 0 || lab_finding_is_in_bytes(finding)))
        return here.writes             ? "scratch_overrun"
               : here.reads && is_last ? "reads_past_the_end"
                                       : NULL;
    if (lab_finding_is_at(finding, "out"))
        return !is_last || index < 0 ? NULL
               : here.writes         ? past_out(s, &launch, &here, index)
               : here.reads          ? "reads_past_the_end"
                                     : NULL;
    return outside_shared(&launch, &here, finding);
}

/* Which barrier is missing: a loop with one a step has it between the read and the write of a step,
 * or behind both. Lines and how often they are run tell. */
static const char *shared_race(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");
    const struct lab_side *reader = here.reads ? &here : &other;
    const struct lab_side *writer = here.reads ? &other : &here;
    struct lab_launch launch = lab_launch(s->lab, 0);
    uint64_t warps = launch.n_blocks * ((launch.n_threads + 31) / 32), stores, loads;
    unsigned n_steps = scan_steps(s->block);
    int barrier;

    if (lab_counter_total(s->lab, "barriers") == 0)
        return "no_barrier";
    if (!reader->reads || !writer->writes)
        return NULL;
    if (here.line == other.line)
        return "reads_and_writes_at_once";
    stores = lab_counter_line(s->lab, 0, "shared_stores", writer->line);
    loads = lab_counter_line(s->lab, 0, "shared_loads", reader->line);
    if (n_steps < 2 || loads <= warps)
        return NULL; /* the reader's line may be none of the loop's */
    if (stores <= warps)
        return writer->line < reader->line ? "barrier_missing_after_load" : NULL;
    if (lab_counter_max_line(s->lab, 0, "barriers", &barrier) != warps * n_steps ||
        lab_counter(s->lab, 0, "barriers") > warps * (n_steps + 1))
        return NULL; /* more than one in each step, or fewer */
    return reader->line < barrier && barrier < writer->line ? "barrier_missing_after_write"
                                                            : "barrier_missing_before_write";
}

/* True where the thread is one of a level's last tile that has no int there. With several ints a
 * thread, who has none of one int has none at all. */
static bool has_no_int(const struct scene *s, int64_t block, int64_t thread) {
    for (size_t level = 0; level < lab_n_launches(s->lab); level++) {
        size_t n = levels_n(s->n, s->block, level);

        if (n > 0 && block >= 0 && thread >= 0 && (size_t)block == (n - 1) / s->block &&
            (size_t)block * s->block + (size_t)thread >= n)
            return true;
    }
    return false;
}

/* Threads that are gone when others wait: those of the last tile without an int, or those that went
 * past a barrier in a branch and on to the end. */
static const char *divergent_barrier(const struct scene *s, const json_t *finding) {
    struct lab_side other = lab_finding_side(finding, "other");

    return other.leaves && has_no_int(s, other.block, other.thread) ? "early_return"
                                                                    : "barrier_in_branch";
}

/* A word of temp, or of a second array behind it, by whether its thread has an int. (What was never
 * written spreads to words to which it is added, but to those behind it alone.) Where the word is
 * not known, by whether the block has threads without an int. */
static const char *uninitialised(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    int64_t word = lab_finding_index(finding);
    int64_t owner = word >= 0 ? word % s->block : s->block - 1;

    if (lab_finding_is_at(finding, "out"))
        return "reads_unwritten_out";
    if (lab_finding_is_at(finding, "scratch"))
        return "reads_unwritten_totals";
    return !lab_finding_is_at(finding, "in") && has_no_int(s, here.block, owner) ? "tail_not_zeroed"
                                                                                 : NULL;
}

/* Where threads store their inclusive values one place on, as an exclusive scan of one int a thread
 * may be made, the last one meets the next tile's elements. A tile's total is stored by one thread
 * alone. */
static bool is_one_on(const struct scene *s, const struct lab_side *writer, int64_t index) {
    uint64_t threads = 0, warps = 0;

    for (size_t i = 0; i < lab_n_launches(s->lab); i++) {
        threads += lab_counter_line(s->lab, i, "thread_instructions", writer->line);
        warps += lab_counter_line(s->lab, i, "warp_instructions", writer->line);
    }
    return index == writer->block * (int64_t)s->block + writer->thread + 1 &&
           2 * threads > 3 * warps;
}

/* In scratch: one block reads what another one writes, or two statements write the same word. */
static const char *global_race(const struct scene *s, const json_t *finding) {
    struct lab_side here = lab_finding_side(finding, "here");
    struct lab_side other = lab_finding_side(finding, "other");
    bool is_read_and_write = (here.reads && other.writes) || (here.writes && other.reads);

    if (!lab_finding_is_at(finding, "scratch") ||
        (is_read_and_write &&
         is_one_on(s, here.writes ? &here : &other, lab_finding_index(finding))))
        return NULL;
    return (is_read_and_write && here.block != other.block) ||
                   (here.writes && other.writes && here.line != other.line)
               ? "totals_in_place"
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
        return shared_race(s, finding);
    if ((finding = lab_finding(s->lab, "global_race")) != NULL)
        return global_race(s, finding);
    finding = lab_finding(s->lab, "uninitialised");
    return finding != NULL ? uninitialised(s, finding) : NULL;
}

/* An error of the runtime, returned or left behind. A grid of no blocks is one of tiles, or of
 * tiles of totals. */
static const char *refused(const struct scene *s) {
    if (lab_grid_was_empty(s->lab, s->block))
        return s->n == 0 ? "empty_input_not_handled" : "dropped_partial_tile";
    return s->block > 1024 && lab_swallowed_error(s->lab) ? "launch_error_swallowed" : NULL;
}

static const char *damaged(const struct scene *s) {
    const struct call_damage *damage = &lab_last(s->lab)->damage;

    if (damage->kind == CALL_INPUT_CHANGED)
        return "input_modified";
    if (damage->kind != CALL_GUARD_AFTER)
        return NULL;
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
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
