/*
 * The lab's idea, by the simulator's counters: shuffles in place of shared memory and barriers. The
 * handout derives each of the numbers.
 */
#include "labs/10-warp-shuffle-scan/tests/parts.h"

/* Of the launch that goes through `in`. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

/* Notes least <= got <= most, and the mistake where that does not hold; NULL: none is known. */
static bool is_within(struct lab *lab, const char *what, uint64_t got, uint64_t least,
                      const char *too_few, uint64_t most, const char *too_many) {
    bool holds = lab_technique(lab, got >= least, what, got, ">=", least);
    const char *id = too_few;

    if (holds) {
        holds = lab_technique(lab, got <= most, what, got, "<=", most);
        id = too_many;
    }
    if (!holds && id != NULL)
        lab_diagnose(lab, id);
    return holds;
}

static bool at_most(struct lab *lab, const char *what, uint64_t got, uint64_t most,
                    const char *id) {
    return is_within(lab, what, got, 0, NULL, most, id);
}

static uint64_t shared_accesses(const struct lab *lab) {
    return count(lab, "shared_loads") + count(lab, "shared_stores");
}

/* Five steps for 32 lanes; one shuffle more where a value is fetched besides. */
static void count_warps(struct lab *lab, const struct lab_case *c) {
    uint64_t n_warps = c->n / 32;

    if (!parts_ints(lab, &of_warps, lab_random_i32(lab, c->n), c) ||
        !lab_expect_grid(lab, c->block, 0))
        return;
    is_within(lab, "shuffles of a warp", lab_ratio(count(lab, "shuffles"), n_warps), 5,
              "no_shuffles", 6, "too_many_shuffles");
    at_most(lab, "loads and stores of shared memory", shared_accesses(lab), 0,
            "uses_shared_memory");
    at_most(lab, "barriers", count(lab, "barriers"), 0, "superfluous_barrier");
    at_most(lab, "atomics", lab_counter_total(lab, "atomics"), 0, "uses_atomics");
}

LAB_TEST(technique, warps_need_no_memory) {
    lab_one(lab, 8 * 32, 32, count_warps);
    lab_one(lab, 8 * 256, 256, count_warps);
}

/* Steps in which as many warps' totals are scanned: 1, 2, 4 … below their number. */
static uint64_t steps_of(uint64_t n_warps) {
    return scan_steps((unsigned)n_warps);
}

static void predict_blocks(struct lab *lab, const struct lab_case *c, uint64_t n_blocks) {
    if (c->block == 256) {
        lab_predict(lab, "predicted_shuffles_of_a_block_256",
                    "How many shuffles do the warps of a block of 256 threads make in scan_blocks, "
                    "all together?",
                    (int64_t)lab_ratio(count(lab, "shuffles"), n_blocks),
                    "Five in each of 8 warps, and five more in the first one, which scans the "
                    "totals.");
        lab_predict(lab, "predicted_shared_accesses_256",
                    "How often do the warps of a block of 256 threads load from shared memory, or "
                    "store there, in scan_blocks?",
                    (int64_t)lab_ratio(shared_accesses(lab), n_blocks),
                    "8 warps store their totals; the first one loads them and stores what comes "
                    "before each; 8 warps load that: 8 + 1 + 1 + 8.");
    }
    if (c->block == 1024)
        lab_predict(lab, "predicted_barriers_of_a_block_1024",
                    "How often do warps of a block of 1,024 threads wait at a barrier in "
                    "scan_blocks, all 32 together?",
                    (int64_t)lab_ratio(count(lab, "barriers"), n_blocks),
                    "Two barriers, at each of which 32 warps wait.");
}

/* Both barriers and all words are for the totals of the warps. */
static void count_blocks(struct lab *lab, const struct lab_case *c) {
    enum { MAX_SHARED = 512 };
    uint64_t n_blocks = c->n / c->block, n_warps = c->block / 32, shuffles, least, shared_bytes;

    if (!parts_ints(lab, &of_blocks, lab_random_i32(lab, c->n), c) ||
        !lab_expect_grid(lab, c->block, n_blocks))
        return;
    predict_blocks(lab, c, n_blocks);
    shuffles = lab_ratio(count(lab, "shuffles"), n_blocks);
    least = 5 * n_warps + steps_of(n_warps);
    shared_bytes = lab_launch(lab, lab_largest_launch(lab)).shared_bytes;
    is_within(lab, "shuffles of a block", shuffles, least,
              shuffles < 5 * n_warps ? "no_shuffles" : "totals_one_by_one", 11 * n_warps + 6,
              "too_many_shuffles");
    at_most(lab, "barriers of a warp", lab_ratio(count(lab, "barriers"), n_blocks * n_warps), 2,
            "superfluous_barrier");
    at_most(lab, "loads and stores of shared memory of a block",
            lab_ratio(shared_accesses(lab), n_blocks), 4 * n_warps + 8, "uses_shared_memory");
    at_most(lab, "bytes of shared memory of a block", shared_bytes, MAX_SHARED,
            "uses_shared_memory");
    at_most(lab, "atomics", lab_counter_total(lab, "atomics"), 0, "uses_atomics");
}

LAB_TEST(technique, blocks_wait_twice) {
    lab_one(lab, 8 * 256, 256, count_blocks);
    lab_one(lab, 8 * 1024, 1024, count_blocks);
    lab_one(lab, 8 * 512, 512, count_blocks);
}

static bool scan_in_tiles(struct lab *lab, const struct lab_case *c) {
    lab_set_diagnoser(lab, scan_diagnose);
    return scan_ints(lab, lab_random_i32(lab, c->n), c->n, c->block, false) &&
           lab_expect_grid(lab, c->block, 0);
}

static void predict_shuffles(struct lab *lab, const struct lab_case *c) {
    if (scan_in_tiles(lab, c) && scan_items(lab, c->n, c->block) == 4)
        lab_predict(
            lab, "predicted_shuffles_of_four",
            "How many shuffles does scan_inclusive make of 2^16 ints in blocks of 128, with "
            "four ints a thread, in all launches?",
            (int64_t)lab_counter_total(lab, "shuffles"),
            "A tile has 512 ints, so there are 128 tiles, of 4 * 5 + 5 shuffles each; their "
            "128 totals are one tile more: 129 times 25.");
}

/* Several ints a thread share the steps: half the shuffles that one int a thread takes, and a
 * little more for the totals. */
static void count_steps(struct lab *lab, const struct lab_case *c) {
    enum { MOST = 24000 };

    if (!scan_in_tiles(lab, c))
        return;
    at_most(lab, "shuffles of all launches", lab_counter_total(lab, "shuffles"), MOST,
            "one_int_a_thread");
    at_most(lab, "atomics", lab_counter_total(lab, "atomics"), 0, "uses_atomics");
}

LAB_TEST(technique, ints_share_the_steps) {
    lab_allow_ms(lab, 20000);
    lab_one(lab, 1 << 16, 128, predict_shuffles);
    lab_one(lab, 1 << 18, 256, count_steps);
}
