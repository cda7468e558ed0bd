/*
 * The lab's idea, by the simulator's counters of the largest launch: registers instead of shared
 * memory in a warp, one barrier in a block, one atomic for it.
 */
#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

static uint64_t shared_accesses(const struct lab *lab) {
    return count(lab, "shared_loads") + count(lab, "shared_stores");
}

enum relation { JUST, AT_MOST, AT_LEAST };

/* Notes how got and wanted relate, and the mistake (NULL: nobody knows) where that does not hold.
 */
static bool check(struct lab *lab, const char *what, uint64_t got, enum relation relation,
                  uint64_t wanted, const char *mistake) {
    static const char *const signs[] = {"==", "<=", ">="};
    bool holds = relation == JUST      ? got == wanted
                 : relation == AT_MOST ? got <= wanted
                                       : got >= wanted;

    if (!lab_technique(lab, holds, what, got, signs[relation], wanted))
        lab_diagnose(lab, mistake);
    return holds;
}

/* Where there are more warps than the elements need, each may make just as many as it should. */
static bool has_idle_warps(const struct lab *lab, const struct lab_case *c) {
    struct lab_launch launch = lab_launch(lab, lab_largest_launch(lab));
    uint64_t n_blocks = (c->n + c->block - 1) / c->block;

    return launch.n_blocks * ((launch.n_threads + 31) / 32) > n_blocks * ((c->block + 31) / 32);
}

/* Five exchanges, and nothing in shared memory. */
static void count_warp(struct lab *lab, const struct shuffle *f, const struct lab_case *c) {
    uint64_t warps = c->n / 32, shuffles;

    if (!shuffle_whole(lab, f, c))
        return;
    shuffles = count(lab, "shuffles") / warps;
    if (f == &warps_all && c->block == 256)
        lab_predict(lab, "predicted_shuffles_4096",
                    "How many shuffles do all warps of sum_warps_all make for 4,096 floats?",
                    (int64_t)count(lab, "shuffles"),
                    "4,096 / 32 = 128 warps of log2(32) = 5 shuffles: each step doubles how many "
                    "lanes a sum stands for.");
    lab_expect_grid(lab, c->block, 0);
    check(lab, "accesses to shared memory", shared_accesses(lab), JUST, 0, "uses_shared_memory");
    check(lab, "atomics", count(lab, "atomics"), JUST, 0, "uses_atomics");
    if (check(lab, "shuffles of a warp", shuffles, AT_LEAST, 5, "no_shuffles"))
        check(lab, "shuffles of a warp", shuffles, AT_MOST, 5,
              has_idle_warps(lab, c) ? NULL : "too_many_shuffles");
}

static void count_all(struct lab *lab, const struct lab_case *c) {
    count_warp(lab, &warps_all, c);
}

static void count_first(struct lab *lab, const struct lab_case *c) {
    count_warp(lab, &warps_first, c);
}

LAB_TEST(technique, every_lane_by_five_shuffles) {
    lab_one(lab, 4096, 96, count_all);
    lab_one(lab, 4096, 256, count_all);
}

LAB_TEST(technique, lane_0_by_five_shuffles) {
    lab_one(lab, 4096, 96, count_first);
    lab_one(lab, 4096, 256, count_first);
}

/* A word of shared memory for each warp, one barrier, then the first warp sums those. */
static void count_block(struct lab *lab, const struct lab_case *c) {
    uint64_t n_blocks = c->n / c->block, n_warps = c->block / 32, shuffles, words, barriers;

    if (!shuffle_whole(lab, &blocks, c))
        return;
    shuffles = count(lab, "shuffles") / n_blocks;
    words = count(lab, "shared_stores") / n_blocks;
    barriers = count(lab, "barriers") / (n_blocks * n_warps);
    if (c->block == 96) {
        lab_predict(lab, "predicted_shuffles_of_a_block_96",
                    "How many shuffles do the warps of a block of 96 threads make?",
                    (int64_t)shuffles, "3 warps five each, and the first warp five more.");
        lab_predict(lab, "predicted_shared_words_96",
                    "How many words does a block of 96 threads store to shared memory?",
                    (int64_t)words, "One for each of its 3 warps, by the warp's lane 0.");
        return;
    }
    if (c->block == 1024)
        lab_predict(lab, "predicted_barriers_of_a_warp_1024",
                    "How many barriers does each warp of sum_blocks wait at, in blocks of 1,024?",
                    (int64_t)barriers,
                    "One, between the warps that store their sums and the one that reads them, "
                    "however many warps there are.");
    lab_expect_grid(lab, c->block, n_blocks);
    check(lab, "shuffles of a block", shuffles, AT_LEAST, 5 * n_warps, "no_shuffles");
    /* One more, and one barrier more, for who clears the slots first, or shares the sum. */
    check(lab, "words stored to shared memory", words, AT_MOST, n_warps + 1, "uses_shared_memory");
    check(lab, "bytes of shared memory of a block",
          lab_launch(lab, lab_largest_launch(lab)).shared_bytes, AT_MOST, 128,
          "uses_shared_memory");
    check(lab, "barriers of a warp", barriers, AT_MOST, 2, "superfluous_barrier");
    check(lab, "shuffles of a block", shuffles, AT_MOST, 10 * n_warps, "too_many_shuffles");
}

LAB_TEST(technique, sums_a_block_by_slots) {
    lab_one(lab, 4 * 96, 96, count_block);
    lab_one(lab, 4 * 512, 512, count_block);
    lab_one(lab, 2 * 1024, 1024, count_block);
}

/* The atomic's unit of counting is the warp that makes it; lanes that take part count as one. */
static void count_grid(struct lab *lab, const struct lab_case *c) {
    uint64_t n_blocks, atomics, sectors = c->n * sizeof(float) / 32;

    if (!shuffle_whole(lab, &grid, c))
        return;
    n_blocks = lab_launch(lab, lab_largest_launch(lab)).n_blocks;
    atomics = count(lab, "atomics");
    lab_expect_grid(lab, c->block, 0);
    check(lab, "atomics (one a block)", atomics, AT_LEAST, n_blocks, "no_atomic");
    check(lab, "atomics (one a block)", atomics, AT_MOST, n_blocks, "atomic_by_every_thread");
    /* Whoever takes neighbouring floats by a loop asks for a sector 8 times: it has 8 floats. A
     * sector a block more is for who looks at what other blocks have left. */
    check(lab, "global load sectors", count(lab, "global_load_sectors"), AT_MOST,
          8 * sectors + n_blocks, "other_traffic");
    check(lab, "elements of a thread", lab_ratio(c->n, n_blocks * c->block), AT_LEAST, 4,
          "one_element_a_thread");
}

LAB_TEST(technique, adds_one_atomic_a_block) {
    lab_one(lab, 1 << 20, 512, count_grid);
}
