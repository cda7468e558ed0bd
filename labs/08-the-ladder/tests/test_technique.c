/*
 * What each rung is there for, by the simulator's counters of the largest launch, which is that of
 * the first level, on full blocks. The last call of each test is of 2^20 ints in blocks of 512: the
 * report's ladder is made of those.
 */
#include "labs/08-the-ladder/tests/rungs.h"

/* A counter of the first level, and how much of it there is in a block. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

static uint64_t n_blocks(const struct lab *lab) {
    return lab_launch(lab, lab_largest_launch(lab)).n_blocks;
}

static uint64_t in_a_block(const struct lab *lab, const char *name) {
    return lab_ratio(count(lab, name), n_blocks(lab));
}

/* Divergent branches of a block at the line that has most of them: the `if` in the loop. */
static uint64_t divergence(const struct lab *lab) {
    return lab_ratio(lab_counter_max_line(lab, lab_largest_launch(lab), "divergent_branches", NULL),
                     n_blocks(lab));
}

/* Notes got <= most, and the mistake where that does not hold; NULL: none is known. */
static bool at_most(struct lab *lab, const char *what, uint64_t got, uint64_t most,
                    const char *id) {
    bool holds = lab_technique(lab, got <= most, what, got, "<=", most);

    if (!holds && id != NULL)
        lab_diagnose(lab, id);
    return holds;
}

/* The same for got >= least. */
static bool at_least(struct lab *lab, const char *what, uint64_t got, uint64_t least,
                     const char *id) {
    bool holds = lab_technique(lab, got >= least, what, got, ">=", least);

    if (!holds && id != NULL)
        lab_diagnose(lab, id);
    return holds;
}

/* What holds of all rungs: the tree lies in shared memory, shuffles are for the last warp alone
 * (sum_many may sum its blocks in any way), and each int is read once. */
static bool is_a_rung(struct lab *lab, const struct lab_case *c, enum rung rung) {
    uint64_t most = rung < LAST_WARP ? 0 : 5;

    if (!levels_counted(lab, &levels_sums[rung], c))
        return false;
    return (rung == MANY || at_most(lab, "shuffles of a block", in_a_block(lab, "shuffles"), most,
                                    "uses_shuffles")) &&
           at_most(lab, "atomics", count(lab, "atomics"), 0, "uses_atomics") &&
           at_most(lab, "global load sectors", count(lab, "global_load_sectors"),
                   c->n * sizeof(int32_t) / 32,
                   count(lab, "global_loads") <= c->n / 32 ? "ints_lie_apart" : NULL) &&
           at_most(lab, "global store sectors", count(lab, "global_store_sectors"), n_blocks(lab),
                   NULL);
}

/* With W warps: at strides 1 to 16 each warp diverges; from stride 32 on, one lane of every second,
 * fourth … warp adds: 5 W + (W - 1). */
static void count_divergent(struct lab *lab, const struct lab_case *c) {
    if (!is_a_rung(lab, c, DIVERGENT))
        return;
    if (c->block == 1024)
        lab_predict(lab, "predicted_divergent_branches_1024",
                    "How often does a block of 1024 threads diverge at the `if` of sum_divergent?",
                    (int64_t)divergence(lab),
                    "32 warps at each of strides 1 to 16, then 16, 8, 4, 2 and 1: 160 + 31.");
    at_least(lab, "divergent branches of a block at the `if` of the loop", divergence(lab),
             6 * (c->block / 32) - 1, "not_divergent");
}

LAB_TEST(technique, divergent_pays_for_both_sides) {
    lab_one(lab, 2 * 1024, 1024, count_divergent);
    lab_one(lab, 1 << 20, 512, count_divergent);
}

/* Lanes that add lie 2, 4, 8 … words apart: so many lanes want one bank. Of each access of an
 * addition, in a block of 256: 4 + 6 + 7 + 7 + 7 + 3 + 1 passes too many at strides 1 to 64; in one
 * of 512, 8 + 12 + 14 + 15 + 15 + 7 + 3 + 1 at strides 1 to 128. */
static void count_strided(struct lab *lab, const struct lab_case *c) {
    if (!is_a_rung(lab, c, STRIDED))
        return;
    if (c->block == 256)
        lab_predict(lab, "predicted_conflicts_256",
                    "How many passes too many does a block of 256 threads need in sum_strided?",
                    (int64_t)in_a_block(lab, "bank_conflicts"),
                    "For each access of an addition 4 + 6 + 7 + 7 + 7 + 3 + 1 at strides 1 to 64: "
                    "35. Two loads and a store: 105.");
    if (at_most(lab, "divergent branches of a block at the `if` of the loop", divergence(lab), 5,
                "divergent_tree"))
        at_least(lab, "bank conflicts of a block, which this version has",
                 in_a_block(lab, "bank_conflicts"), c->block == 256 ? 35 : 75, "not_strided");
}

LAB_TEST(technique, strided_pays_with_bank_conflicts) {
    lab_one(lab, 4 * 256, 256, count_strided);
    lab_one(lab, 1 << 20, 512, count_strided);
}

/* Of a stride that halves: whole warps add or rest, but for the last five steps, and all words of a
 * warp lie in different banks. */
static bool is_sequential(struct lab *lab) {
    return at_most(lab, "divergent branches of a block at the `if` of the loop", divergence(lab), 5,
                   "divergent_tree") &&
           at_most(lab, "bank conflicts", count(lab, "bank_conflicts"), 0, "strided_tree");
}

/* One barrier more than the load and the steps need. */
static void count_sequential(struct lab *lab, const struct lab_case *c) {
    if (is_a_rung(lab, c, SEQUENTIAL) && is_sequential(lab))
        at_most(lab, "barriers of a warp", in_a_block(lab, "barriers") / (c->block / 32),
                levels_steps(c->block) + 2, "superfluous_barrier");
}

LAB_TEST(technique, sequential_has_neither) {
    lab_one(lab, 4 * 256, 256, count_sequential);
    lab_one(lab, 1 << 20, 512, count_sequential);
}

/* Half as many blocks as rung 3 has. */
static bool adds_first(struct lab *lab, const struct lab_case *c, enum rung rung) {
    if (!is_a_rung(lab, c, rung))
        return false;
    if (!lab_technique(lab, n_blocks(lab) == c->n / (2 * c->block), "blocks of the first launch",
                       n_blocks(lab), "==", c->n / (2 * c->block))) {
        if (n_blocks(lab) == c->n / c->block)
            lab_diagnose(lab, "one_int_a_thread");
        return false;
    }
    return is_sequential(lab);
}

static void count_first_add(struct lab *lab, const struct lab_case *c) {
    if (!adds_first(lab, c, FIRST_ADD))
        return;
    if (c->block == 256)
        lab_predict(lab, "predicted_first_add_blocks",
                    "How many blocks of 256 does sum_first_add launch first for 2^20 ints?",
                    (int64_t)n_blocks(lab), "Each block sums 512 ints: 2^20 / 2^9 = 2^11.");
    at_most(lab, "barriers of a warp", in_a_block(lab, "barriers") / (c->block / 32),
            levels_steps(c->block) + 2, "superfluous_barrier");
}

LAB_TEST(technique, first_add_halves_the_blocks) {
    lab_one(lab, 1 << 20, 256, count_first_add);
    lab_one(lab, 1 << 20, 512, count_first_add);
}

/* One barrier behind the load and one behind each step that leaves 64 words or more; one more is
 * nobody's loss. The steps of one warp need barriers of the warp at most, which are not counted. */
static bool unrolls_last_warp(struct lab *lab, const struct lab_case *c) {
    uint64_t most = levels_steps(c->block) - 4;
    uint64_t barriers = in_a_block(lab, "barriers") / (c->block / 32);

    return at_most(lab, "barriers of a warp", barriers, most,
                   barriers >= levels_steps(c->block) ? "last_warp_in_the_loop" : NULL);
}

static void count_last_warp(struct lab *lab, const struct lab_case *c) {
    if (!adds_first(lab, c, LAST_WARP))
        return;
    if (c->block == 256)
        lab_predict(lab, "predicted_last_warp_barriers_256",
                    "How many barriers of the block does a warp wait at in sum_last_warp?",
                    (int64_t)(in_a_block(lab, "barriers") / (c->block / 32)),
                    "One behind the load, one behind each of strides 128 and 64.");
    unrolls_last_warp(lab, c);
}

LAB_TEST(technique, last_warp_waits_for_nobody) {
    lab_one(lab, 4 * 256, 256, count_last_warp);
    lab_one(lab, 1 << 20, 512, count_last_warp);
}

/* Each warp comes to the comparisons of t with 512 … 64, with 32 and with 0, and to those of the
 * two places with n. A loop would bring one more a step. */
static void count_unrolled(struct lab *lab, const struct lab_case *c) {
    uint64_t branches;

    if (!adds_first(lab, c, UNROLLED) || !unrolls_last_warp(lab, c))
        return;
    branches = lab_ratio(in_a_block(lab, "branches"), c->block / 32);
    at_most(lab, "branches of a warp", branches, levels_steps(c->block) - 1, "still_a_loop");
}

LAB_TEST(technique, unrolled_has_no_loop) {
    lab_one(lab, 4 * 256, 256, count_unrolled);
    lab_one(lab, 1 << 20, 512, count_unrolled);
}

/* Brent: with n / log2(n) threads, a thread first adds log2(n) ints by itself. Here 8 ints a thread
 * do, and 64 blocks at least, so that a GPU has work for its multiprocessors. */
static void count_many(struct lab *lab, const struct lab_case *c) {
    enum { LEAST_INTS = 8, LEAST_BLOCKS = 64 };

    if (!is_a_rung(lab, c, MANY))
        return;
    if (at_most(lab, "blocks of the first launch", n_blocks(lab), c->n / (LEAST_INTS * c->block),
                "few_ints_a_thread") &&
        at_least(lab, "blocks of the first launch", n_blocks(lab), LEAST_BLOCKS, "few_blocks"))
        at_most(lab, "bank conflicts", count(lab, "bank_conflicts"), 0, "strided_tree");
}

/* The largest blocks have a kernel of their own: who gives them another's, whose threads are half
 * as many, has half of them load what the next block loads. */
static void count_largest(struct lab *lab, const struct lab_case *c) {
    is_a_rung(lab, c, MANY);
}

LAB_TEST(technique, many_needs_few_trees) {
    lab_one(lab, 1 << 20, 1024, count_largest);
    lab_one(lab, 1 << 20, 512, count_many);
}
