/*
 * The lab's idea, by the simulator's counters of the first launch, on full blocks: whole warps add
 * or rest, and no two lanes want different words of one bank.
 */
#include "labs/common/levels/sum.h"

/* The id of the mistake that the counters of the first launch speak of. */
static const char *other_way(const struct lab *lab, const struct lab_case *c) {
    uint64_t blocks = lab_launch(lab, 0).n_blocks, warps = blocks * ((c->block + 31) / 32);

    if (lab_counter(lab, 0, "shuffles") > 0)
        return "uses_shuffles";
    if (lab_counter(lab, 0, "atomics") > 0)
        return "uses_atomics";
    /* A tree has a barrier between each two steps; without any there is no tree. */
    if (lab_counter(lab, 0, "barriers") < warps * (levels_steps(c->block) - 1))
        return "one_thread_sums";
    if (lab_counter_max_line(lab, 0, "divergent_branches", NULL) > 6 * blocks)
        return "divergent_tree";
    return lab_counter(lab, 0, "bank_conflicts") > 0 ? "strided_tree" : "other_tree";
}

/* Notes got <= most, and what the mistake is where that does not hold. */
static void check_most(struct lab *lab, const struct lab_case *c, const char *what, uint64_t got,
                       uint64_t most) {
    if (!lab_technique(lab, got <= most, what, got, "<=", most))
        lab_diagnose(lab, other_way(lab, c));
}

/* Divergent branches of a block at the line that has most of them: the `if` in the loop. */
static uint64_t divergence(const struct lab *lab) {
    return lab_ratio(lab_counter_max_line(lab, 0, "divergent_branches", NULL),
                     lab_launch(lab, 0).n_blocks);
}

/* At strides of 32 and more whole warps add or rest; at 16, 8, 4, 2 and 1 the first one parts. */
static void count_divergence(struct lab *lab, const struct lab_case *c) {
    uint64_t got;

    if (!levels_counted(lab, levels_sums, c))
        return;
    got = divergence(lab);
    if (c->block == 1024)
        lab_predict(lab, "predicted_divergent_branches_1024",
                    "How often does a block of 1024 threads diverge at the `if`?", (int64_t)got,
                    "Strides 512 to 32: whole warps. Strides 16, 8, 4, 2, 1: the first warp, once "
                    "each.");
    if (c->block == 48)
        lab_predict(lab, "predicted_divergent_branches_48",
                    "How often does a block of 48 threads diverge at the `if`?", (int64_t)got,
                    "Of 48, 24, 12, 6, 3 and 2 words, 24, 12, 6, 3, 1 and 1 threads add: always "
                    "some of the first warp. The second warp rests as a whole.");
    check_most(lab, c, "divergent branches of a block at the `if` of the loop", got,
               c->block == 48 ? 6 : 5);
}

LAB_TEST(technique, diverges_in_the_last_warp_alone) {
    lab_one(lab, 4 * 32, 32, count_divergence);
    lab_one(lab, 4 * 48, 48, count_divergence);
    lab_one(lab, 4 * 512, 512, count_divergence);
    lab_one(lab, 2 * 1024, 1024, count_divergence);
}

static void count_conflicts(struct lab *lab, const struct lab_case *c) {
    if (levels_counted(lab, levels_sums, c))
        check_most(lab, c, "bank conflicts", lab_counter(lab, 0, "bank_conflicts"), 0);
}

LAB_TEST(technique, has_no_bank_conflict) {
    lab_one(lab, 4 * 512, 512, count_conflicts);
    lab_one(lab, 2 * 1024, 1024, count_conflicts);
}

/* A warp that adds stores once, and each warp stored once to fill the tile. */
static void count_additions(struct lab *lab, const struct lab_case *c) {
    uint64_t n_warps = c->block / 32, additions;

    if (!levels_counted(lab, levels_sums, c))
        return;
    additions = lab_ratio(lab_counter(lab, 0, "shared_stores"), lab_launch(lab, 0).n_blocks);
    additions -= additions < n_warps ? additions : n_warps;
    lab_predict(lab, "predicted_warp_additions_1024",
                "How often does a warp of a block of 1024 threads go through an addition?",
                (int64_t)additions,
                "16 + 8 + 4 + 2 + 1 at strides 512 to 32, then five times one.");
    check_most(lab, c, "additions that a warp goes through, in a block", additions, 36);
    check_most(lab, c, "shuffles and atomics",
               lab_counter(lab, 0, "shuffles") + lab_counter(lab, 0, "atomics"), 0);
    check_most(lab, c, "barriers of a warp", lab_counter(lab, 0, "barriers") / (2 * n_warps), 11);
    if (!lab_technique(lab, lab_counter(lab, 0, "barriers") >= 2 * n_warps * 10,
                       "barriers of all warps", lab_counter(lab, 0, "barriers"),
                       ">=", 2 * n_warps * 10))
        lab_diagnose(lab, other_way(lab, c));
}

LAB_TEST(technique, keeps_whole_warps_busy) {
    lab_one(lab, 2 * 1024, 1024, count_additions);
}

/* Lab 01's model answer takes 162 instructions a warp of full blocks of 512. A good part of them
 * are for remainders, and for warps that add with one lane; a right answer that counts its words in
 * another way than the model has some more than that, too. */
static void count_instructions(struct lab *lab, const struct lab_case *c) {
    enum { LAB_01 = 162 };

    if (levels_counted(lab, levels_sums, c))
        check_most(lab, c, "instructions of a warp (nine tenths of lab 01's 162 at most)",
                   lab_counter(lab, 0, "warp_instructions") / (c->n / 32), LAB_01 * 9 / 10);
}

LAB_TEST(technique, needs_fewer_instructions) {
    lab_one(lab, 1 << 18, 512, count_instructions);
}

static void count_global_traffic(struct lab *lab, const struct lab_case *c) {
    if (!levels_counted(lab, levels_sums, c))
        return;
    check_most(lab, c, "global load sectors", lab_counter(lab, 0, "global_load_sectors"),
               c->n * sizeof(int32_t) / 32);
    check_most(lab, c, "global store sectors", lab_counter(lab, 0, "global_store_sectors"),
               c->n / c->block);
}

LAB_TEST(technique, reads_each_int_once) {
    lab_one(lab, 1 << 18, 512, count_global_traffic);
}

static void count_strided(struct lab *lab, const struct lab_case *c) {
    uint64_t blocks = c->n / c->block, conflicts;

    if (!levels_counted(lab, &levels_sums[1], c))
        return;
    check_most(lab, c, "divergent branches of a block at the `if` of the loop", divergence(lab), 5);
    conflicts = lab_counter(lab, 0, "bank_conflicts") / blocks;
    lab_predict(lab, "predicted_strided_conflicts_512",
                "How many passes too many does a block of 512 threads need in sum_strided?",
                (int64_t)conflicts,
                "For each access of an addition 8 + 12 + 14 + 15 + 15 + 7 + 3 + 1 at strides 1 to "
                "128: 75. Two loads and a store: 225.");
    if (!lab_technique(lab, conflicts >= 75, "bank conflicts of a block, which this version has",
                       conflicts, ">=", 75))
        lab_diagnose(lab, "not_strided");
}

LAB_TEST(technique, strided_pays_with_bank_conflicts) {
    lab_one(lab, 4 * 512, 512, count_strided);
}
