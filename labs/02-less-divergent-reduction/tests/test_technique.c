/*
 * The lab's idea, by the simulator's counters of the largest launch, which is that of the first
 * level, on full blocks: whole warps add or rest, and no two lanes want different words of one
 * bank.
 */
#include "labs/common/levels/sum.h"

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

/* The last warp may add its words by shuffles: one a step. */
enum { LAST_WARP = 5 };

/* Divergent branches of a block at the line that has most of them: the `if` in the loop. */
static uint64_t divergence(const struct lab *lab) {
    return lab_ratio(lab_counter_max_line(lab, lab_largest_launch(lab), "divergent_branches", NULL),
                     n_blocks(lab));
}

/* The id of the mistake that the counters speak of. */
static const char *other_way(const struct lab *lab, const struct lab_case *c) {
    if (in_a_block(lab, "shuffles") > LAST_WARP)
        return "uses_shuffles";
    if (count(lab, "atomics") > 0)
        return "uses_atomics";
    /* Whoever adds up a tile alone reads each of its words by itself. */
    if (divergence(lab) <= 1 && in_a_block(lab, "shared_loads") >= c->block - 1)
        return "one_thread_sums";
    if (divergence(lab) > 6)
        return "divergent_tree";
    if (count(lab, "bank_conflicts") > 0)
        return "strided_tree";
    /* Blocks without an int have counts, too. */
    return n_blocks(lab) == c->n / c->block ? "other_tree" : NULL;
}

/* Notes got <= most, and what the mistake is where that does not hold. */
static void check_most(struct lab *lab, const struct lab_case *c, const char *what, uint64_t got,
                       uint64_t most) {
    if (!lab_technique(lab, got <= most, what, got, "<=", most))
        lab_diagnose(lab, other_way(lab, c));
}

/* At strides of 32 and more whole warps add or rest; at 16, 8, 4, 2 and 1 the first one parts. */
static void count_divergence(struct lab *lab, const struct lab_case *c) {
    uint64_t got;

    if (!levels_counted(lab, levels_sums, c))
        return;
    got = divergence(lab);
    if (c->block == 256)
        lab_predict(lab, "predicted_divergent_branches_256",
                    "How often does a block of 256 threads diverge at the `if`?", (int64_t)got,
                    "Strides 128 to 32: whole warps. Strides 16, 8, 4, 2, 1: the first warp, once "
                    "each.");
    if (c->block == 12)
        lab_predict(lab, "predicted_divergent_branches_12",
                    "How often does a block of 12 threads diverge at the `if`?", (int64_t)got,
                    "Of 12, 6, 3 and 2 words, 6, 3, 1 and 1 threads add: four steps, and in each "
                    "some of the 12 lanes add and some don't.");
    check_most(lab, c, "divergent branches of a block at the `if` of the loop", got,
               c->block == 48 ? 6 : 5);
}

LAB_TEST(technique, diverges_in_the_last_warp_alone) {
    lab_one(lab, 4 * 12, 12, count_divergence);
    lab_one(lab, 4 * 32, 32, count_divergence);
    lab_one(lab, 4 * 48, 48, count_divergence);
    lab_one(lab, 4 * 256, 256, count_divergence);
    lab_one(lab, 4 * 512, 512, count_divergence);
    lab_one(lab, 2 * 1024, 1024, count_divergence);
}

static void count_conflicts(struct lab *lab, const struct lab_case *c) {
    if (levels_counted(lab, levels_sums, c))
        check_most(lab, c, "bank conflicts", count(lab, "bank_conflicts"), 0);
}

LAB_TEST(technique, has_no_bank_conflict) {
    lab_one(lab, 4 * 512, 512, count_conflicts);
    lab_one(lab, 2 * 1024, 1024, count_conflicts);
}

/* Stores of a block that fill its tile: at lines that all its warps go through, once or more. The
 * steps of a tree are gone through 36 times, which is no multiple of 32 warps. Where all warps add
 * in each step, that shows in the loads. */
static uint64_t stores_to_fill(const struct lab *lab, uint64_t n_warps) {
    size_t largest = lab_largest_launch(lab), i;
    const json_t *launches = json_object_get(lab_report(lab), "launches"), *line;
    uint64_t total = 0;

    json_array_foreach(json_object_get(json_array_get(launches, largest), "lines"), i, line) {
        int number = (int)json_integer_value(json_object_get(line, "line"));
        uint64_t stores =
            lab_ratio(lab_counter_line(lab, largest, "shared_stores", number), n_blocks(lab));

        total += stores % n_warps == 0 ? stores : 0;
    }
    return total;
}

/* A warp that adds stores once and reads two words at most. 37 warps' worth of additions, since the
 * odd word of a tile may have one of its own; the first thread reads the sum. */
static void count_additions(struct lab *lab, const struct lab_case *c) {
    enum { ADDITIONS = 36, LOADS = 2 * ADDITIONS + 1 };
    uint64_t n_warps = c->block / 32, additions, barriers;

    if (!levels_counted(lab, levels_sums, c))
        return;
    additions = in_a_block(lab, "shared_stores") - stores_to_fill(lab, n_warps);
    barriers = in_a_block(lab, "barriers") / n_warps;
    if (c->block == 256) {
        lab_predict(lab, "predicted_warp_additions_256",
                    "How often does a warp of a block of 256 threads go through an addition?",
                    (int64_t)additions, "4 + 2 + 1 at strides 128 to 32, then five times one.");
        return;
    }
    check_most(lab, c, "shuffles of a block", in_a_block(lab, "shuffles"), LAST_WARP);
    check_most(lab, c, "atomics", count(lab, "atomics"), 0);
    check_most(lab, c, "additions that a warp goes through, in a block", additions, ADDITIONS);
    check_most(lab, c, "loads from shared memory, in a block", in_a_block(lab, "shared_loads"),
               LOADS);
    /* One more than log2(1024) + 1, for a step that makes the number of words a power of two. */
    check_most(lab, c, "barriers of a warp", barriers, 12);
}

LAB_TEST(technique, keeps_whole_warps_busy) {
    lab_one(lab, 4 * 256, 256, count_additions);
    lab_one(lab, 2 * 1024, 1024, count_additions);
}

/* Lab 01's model answer takes 162 instructions a warp of full blocks of 512. A good part of them
 * are for remainders, and for warps that add with one lane; the handout says so. */
static void count_instructions(struct lab *lab, const struct lab_case *c) {
    enum { LAB_01 = 162 };

    if (levels_counted(lab, levels_sums, c))
        check_most(lab, c, "instructions of a warp (lab 01's tree takes 162)",
                   count(lab, "warp_instructions") / (c->n / 32), LAB_01 - 1);
}

LAB_TEST(technique, needs_fewer_instructions) {
    lab_one(lab, 1 << 18, 512, count_instructions);
}

static void count_global_traffic(struct lab *lab, const struct lab_case *c) {
    if (!levels_counted(lab, levels_sums, c))
        return;
    check_most(lab, c, "global load sectors", count(lab, "global_load_sectors"),
               c->n * sizeof(int32_t) / 32);
    check_most(lab, c, "global store sectors", count(lab, "global_store_sectors"), c->n / c->block);
}

LAB_TEST(technique, reads_each_int_once) {
    lab_one(lab, 1 << 18, 512, count_global_traffic);
}

static void count_strided(struct lab *lab, const struct lab_case *c) {
    uint64_t conflicts, stores;

    if (!levels_counted(lab, &levels_sums[1], c))
        return;
    check_most(lab, c, "divergent branches of a block at the `if` of the loop", divergence(lab), 5);
    stores = count(lab, "global_store_sectors");
    lab_technique(lab, stores <= n_blocks(lab), "global store sectors", stores,
                  "<=", n_blocks(lab));
    conflicts = in_a_block(lab, "bank_conflicts");
    if (c->block == 128) {
        lab_predict(lab, "predicted_strided_conflicts_128",
                    "How many passes too many does a block of 128 threads need in sum_strided?",
                    (int64_t)conflicts,
                    "For each access of an addition 2 + 3 + 3 + 3 + 3 + 1 at strides 1 to 32: 15. "
                    "Two loads and a store: 45.");
        return;
    }
    if (!lab_technique(lab, conflicts >= 75, "bank conflicts of a block, which this version has",
                       conflicts, ">=", 75))
        lab_diagnose(lab, "not_strided");
}

LAB_TEST(technique, strided_pays_with_bank_conflicts) {
    lab_one(lab, 4 * 128, 128, count_strided);
    lab_one(lab, 4 * 512, 512, count_strided);
}
