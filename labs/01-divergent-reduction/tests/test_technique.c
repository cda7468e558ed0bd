/*
 * The lab's idea, by the simulator's counters of the largest launch, which is that of the first
 * level, on full blocks. Time can't tell one tree from another; counts can, and the handout derives
 * each of them.
 */
#include "labs/common/levels/sum.h"

/* A counter of the first level. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

/* The id of the mistake that the counters speak of. A thread that adds up a whole tile goes through
 * as many additions as the tile has words; a tree, through no more than two a step and warp. */
static const char *other_way(const struct lab *lab, const struct lab_case *c) {
    uint64_t n_warps = (c->block + 31) / 32, n_tree = 2 * n_warps * levels_steps(c->block);
    const struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));
    uint64_t blocks = launch.n_blocks;

    if (count(lab, "shuffles") > 0)
        return "uses_shuffles";
    if (count(lab, "atomics") > 0)
        return "uses_atomics";
    if (count(lab, "barriers") < blocks * n_warps || /* nobody waits for anybody, or … */
        (c->block > n_tree && count(lab, "shared_loads") >= blocks * (c->block - 1) &&
         count(lab, "divergent_branches") < blocks * 2 * levels_steps(c->block)))
        return "one_thread_sums";
    /* A tree of another block has other counts, and so have blocks without an int. */
    return launch.n_threads == c->block && blocks == c->n / c->block ? "other_tree" : NULL;
}

/* Notes got == wanted, and what the mistake is where that does not hold. */
static void check_count(struct lab *lab, const struct lab_case *c, const char *what, uint64_t got,
                        uint64_t wanted) {
    if (!lab_technique(lab, got == wanted, what, got, "==", wanted))
        lab_diagnose(lab, other_way(lab, c));
}

/* The same for got <= most. */
static void check_most(struct lab *lab, const struct lab_case *c, const char *what, uint64_t got,
                       uint64_t most) {
    if (!lab_technique(lab, got <= most, what, got, "<=", most))
        lab_diagnose(lab, other_way(lab, c));
}

/* With W warps: at strides 1 to 16 each warp diverges, since some of its lanes add and some don't;
 * from stride 32 on, one lane of every second, fourth … warp adds: 5 W + (W - 1). */
static void count_divergence(struct lab *lab, const struct lab_case *c) {
    unsigned n_warps = c->block / 32;
    uint64_t wanted = 6 * n_warps - 1, blocks = c->n / c->block, got;

    if (!levels_counted(lab, levels_sums, c))
        return;
    /* The line with most of them is that of the `if` in the loop; the `if (t == 0)` has one. */
    got = lab_counter_max_line(lab, lab_largest_launch(lab), "divergent_branches", NULL) / blocks;
    if (c->block == 64)
        lab_predict(
            lab, "predicted_divergent_branches_64",
            "How often do the warps of a block of 64 threads diverge at the `if`?", (int64_t)got,
            "Two warps at each of strides 1, 2, 4, 8 and 16: in each of them some lanes add "
            "and some don't. Then one warp at stride 32: 10 + 1.");
    if (c->block == 256)
        lab_predict(lab, "predicted_divergent_branches_256",
                    "How often do the warps of a block of 256 threads diverge at the `if`?",
                    (int64_t)got, "8 warps at each of strides 1 to 16, then 4, 2 and 1: 40 + 7.");
    check_count(lab, c, "divergent branches of a block at the `if` of the loop", got, wanted);
}

LAB_TEST(technique, diverges_as_derived) {
    lab_one(lab, 4 * 32, 32, count_divergence);
    lab_one(lab, 4 * 64, 64, count_divergence);
    lab_one(lab, 4 * 256, 256, count_divergence);
    lab_one(lab, 4 * 512, 512, count_divergence);
    lab_one(lab, 2 * 1024, 1024, count_divergence);
}

static void count_global_traffic(struct lab *lab, const struct lab_case *c) {
    uint64_t blocks = c->n / c->block, sectors;

    if (!levels_counted(lab, levels_sums, c))
        return;
    sectors = count(lab, "global_load_sectors");
    if (c->block == 256)
        lab_predict(lab, "predicted_load_sectors_256",
                    "How many sectors of 32 bytes does a block of 256 threads read?",
                    (int64_t)(sectors / blocks), "256 ints are 1,024 bytes, which are 32 sectors.");
    check_most(lab, c, "global load requests", count(lab, "global_loads"), c->n / 32);
    check_most(lab, c, "global load sectors", sectors, c->n * sizeof(int32_t) / 32);
    check_most(lab, c, "global store sectors", count(lab, "global_store_sectors"), blocks);
}

/* Blocks of a size that is easy to round to another one. */
static void count_threads(struct lab *lab, const struct lab_case *c) {
    levels_counted(lab, levels_sums, c);
}

LAB_TEST(technique, reads_each_int_once) {
    lab_one(lab, 4 * 48, 48, count_threads);
    lab_one(lab, 10, 48, count_threads);
    lab_one(lab, 4 * 256, 256, count_global_traffic);
    lab_one(lab, 1 << 20, 512, count_global_traffic);
}

enum { MAX_TILE = 1024 * sizeof(int32_t) };

/* A tile has a word for each thread; one of a fixed size, a word for each thread that a block may
 * have. A barrier between steps may be one of the warp alone, where only lanes of one warp meet. */
static void count_barriers(struct lab *lab, const struct lab_case *c) {
    uint64_t warps = c->n / 32, a_warp, most = levels_steps(c->block) + 1;

    if (!levels_counted(lab, levels_sums, c))
        return;
    a_warp = count(lab, "barriers") / warps;
    if (c->block == 256)
        lab_predict(lab, "predicted_barriers_of_a_warp_256",
                    "How many barriers does each warp of a block of 256 threads wait at?",
                    (int64_t)a_warp,
                    "One after the load, and one in each of the log2(256) = 8 steps.");
    check_most(lab, c, "bytes of shared memory of a block",
               lab_launch(lab, lab_largest_launch(lab)).shared_bytes, MAX_TILE);
    check_count(lab, c, "shuffles and atomics", count(lab, "shuffles") + count(lab, "atomics"), 0);
    if (!lab_technique(lab, a_warp >= 1, "barriers of a warp", a_warp, ">=", 1))
        lab_diagnose(lab, other_way(lab, c));
    else if (!lab_technique(lab, a_warp <= most, "barriers of a warp", a_warp, "<=", most))
        lab_diagnose(lab, "superfluous_barrier");
}

/* The largest block. */
static void count_tile(struct lab *lab, const struct lab_case *c) {
    if (!levels_counted(lab, levels_sums, c))
        return;
    uint64_t bytes = lab_launch(lab, lab_largest_launch(lab)).shared_bytes;
    lab_technique(lab, bytes <= MAX_TILE, "bytes of shared memory of a block", bytes,
                  "<=", MAX_TILE);
}

LAB_TEST(technique, sums_in_shared_memory) {
    lab_one(lab, 2 * 1024, 1024, count_tile);
    lab_one(lab, 4 * 256, 256, count_barriers);
    lab_one(lab, 4 * 512, 512, count_barriers);
}
