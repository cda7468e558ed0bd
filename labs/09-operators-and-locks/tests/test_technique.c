/*
 * The lab's ideas, by the simulator's counters: what is read once, and how the four sums meet at
 * one word. The last call of each way to a sum is of 2^16 ints in blocks of 256: the report's
 * ladder is made of those.
 */
#include "labs/09-operators-and-locks/tests/operators.h"

enum { N = 1 << 16, BLOCK = 256 };

/* Of the launch that goes through `in`. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

/* The grid that the header and the handout name. */
static bool is_grid(struct lab *lab, const struct lab_case *c) {
    return lab_expect_grid(lab, c->block, operator_blocks(c->n, c->block));
}

static struct lab_launch launched(const struct lab *lab) {
    return lab_launch(lab, lab_largest_launch(lab));
}

/* Notes got <= most, or got >= least, and the mistake where that does not hold; NULL: none is
 * known. */
static bool at_most(struct lab *lab, const char *what, uint64_t got, uint64_t most,
                    const char *id) {
    bool holds = lab_technique(lab, got <= most, what, got, "<=", most);

    if (!holds && id != NULL)
        lab_diagnose(lab, id);
    return holds;
}

static bool at_least(struct lab *lab, const char *what, uint64_t got, uint64_t least,
                     const char *id) {
    bool holds = lab_technique(lab, got >= least, what, got, ">=", least);

    if (!holds && id != NULL)
        lab_diagnose(lab, id);
    return holds;
}

/* Of all launches of the call, each element is loaded once, with all sectors full; the launches
 * behind the first load no more than the partial results. */
static void count_loads(struct lab *lab, const struct lab_case *c, size_t element_bytes,
                        size_t value_bytes) {
    uint64_t sectors = N * element_bytes / 32, n_blocks = launched(lab).n_blocks;
    uint64_t most = sectors + n_blocks * (value_bytes / 32 + 4) + 16;
    uint64_t got = lab_counter_total(lab, "global_load_sectors");

    is_grid(lab, c);
    at_most(lab, "atomics", lab_counter_total(lab, "atomics"), 0, "uses_atomics");
    at_most(lab, "sectors loaded by all launches", got, most,
            got >= 2 * sectors ? "reads_twice" : NULL);
}

static void count_partials(struct lab *lab, const struct lab_case *c) {
    if (sum_way_case(lab, &by_partials, c))
        count_loads(lab, c, sizeof(int32_t), sizeof(int32_t));
}

LAB_TEST(technique, partials_need_no_atomic) {
    lab_one(lab, N, BLOCK, count_partials);
}

static void count_max(struct lab *lab, const struct lab_case *c) {
    if (extreme_case(lab, "max_of", 0, c))
        count_loads(lab, c, sizeof(float), sizeof(float));
}

static void count_argmax(struct lab *lab, const struct lab_case *c) {
    argmax_case(lab, c);
    if (!lab_failed(lab))
        count_loads(lab, c, sizeof(float), sizeof(struct largest));
}

LAB_TEST(technique, argmax_is_one_tournament) {
    lab_one(lab, N, BLOCK, count_max);
    lab_one(lab, N, BLOCK, count_argmax);
}

static void count_moments(struct lab *lab, const struct lab_case *c) {
    if (!moments_case_at(lab, c, 0))
        return;
    lab_predict(lab, "predicted_moments_bytes",
                "How many bytes of shared memory has a block of 256 in mean_deviation?",
                (int64_t)launched(lab).shared_bytes,
                "Three doubles for each of 256 threads: 3 * 8 * 256.");
    count_loads(lab, c, sizeof(double), sizeof(struct moments));
}

LAB_TEST(technique, moments_take_one_pass) {
    lab_one(lab, N, BLOCK, count_moments);
}

/* At least one request a warp: this way is here to be compared with. */
static void count_threads(struct lab *lab, const struct lab_case *c) {
    uint64_t atomics, n_warps;

    if (!sum_way_case(lab, &by_threads, c))
        return;
    atomics = count(lab, "atomics");
    n_warps = launched(lab).n_blocks * (launched(lab).n_threads / 32);
    lab_predict(lab, "predicted_thread_atomics",
                "How many atomic requests does sum_by_threads make of 2^16 ints in blocks of 256?",
                (int64_t)atomics, "32 blocks of 8 warps, one request each.");
    is_grid(lab, c);
    at_least(lab, "atomics (one a warp, for its 32 lanes)", atomics, n_warps, "fewer_atomics");
}

static void threads_in_grid(struct lab *lab, const struct lab_case *c) {
    if (sum_way_case(lab, &by_threads, c))
        is_grid(lab, c);
}

LAB_TEST(technique, threads_add_one_by_one) {
    lab_one(lab, N, 64, threads_in_grid);
    lab_one(lab, N, BLOCK, count_threads);
}

static void count_blocks(struct lab *lab, const struct lab_case *c) {
    uint64_t atomics;

    if (!sum_way_case(lab, &by_blocks, c))
        return;
    atomics = count(lab, "atomics");
    lab_predict(lab, "predicted_block_atomics",
                "How many atomic requests does sum_by_blocks make of 2^16 ints in blocks of 256?",
                (int64_t)atomics, "One for each of 32 blocks.");
    is_grid(lab, c);
    at_least(lab, "atomics (one a block)", atomics, launched(lab).n_blocks, NULL);
    at_most(lab, "atomics (one a block)", atomics, launched(lab).n_blocks,
            "atomic_by_every_thread");
}

static void blocks_in_grid(struct lab *lab, const struct lab_case *c) {
    if (sum_way_case(lab, &by_blocks, c))
        is_grid(lab, c);
}

LAB_TEST(technique, blocks_add_one_atomic) {
    lab_one(lab, N, 64, blocks_in_grid);
    lab_one(lab, N, BLOCK, count_blocks);
}

/* A store to *sum for each block, and one more where the lock is released by a store. How often a
 * lock is asked for depends on who waits: at least once. */
static void count_lock(struct lab *lab, const struct lab_case *c) {
    uint64_t n_blocks, stores;

    if (!sum_way_case(lab, &by_lock, c))
        return;
    n_blocks = launched(lab).n_blocks;
    stores = count(lab, "global_stores");
    lab_predict(lab, "predicted_lock_stores",
                "How often does the kernel of sum_by_lock store to *sum, of 2^16 ints in blocks of "
                "256?",
                (int64_t)stores, "Once for each of 32 blocks, one after the other.");
    is_grid(lab, c);
    at_least(lab, "stores, of which one a block is to *sum", stores, n_blocks, "no_lock");
    at_least(lab, "atomics, by which the lock is taken", count(lab, "atomics"), n_blocks,
             "no_lock");
    at_most(lab, "stores (one or two a block)", stores, 2 * n_blocks, "lock_by_every_thread");
}

static void lock_in_grid(struct lab *lab, const struct lab_case *c) {
    if (sum_way_case(lab, &by_lock, c))
        is_grid(lab, c);
}

LAB_TEST(technique, lock_is_taken_once_a_block) {
    lab_one(lab, N, 64, lock_in_grid);
    lab_one(lab, N, BLOCK, count_lock);
}
