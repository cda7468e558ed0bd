/*
 * The lab's ideas, by the simulator's counters: a thread for each number and no block too many,
 * neighbouring threads with neighbouring numbers, and the grid that was asked for. The handout
 * derives each count.
 */
#include "labs/00-first-kernel/tests/map_case.h"

/* A counter of the largest launch. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

static uint64_t sectors(uint64_t n) {
    return n * sizeof(int32_t) / 32;
}

/* Of n numbers, in full warps: each is loaded once, and neighbouring threads have neighbouring
 * ones, so that no more sectors are moved than the numbers lie in. */
static void check_traffic(struct lab *lab, uint64_t n, const char *id) {
    uint64_t loads = count(lab, "global_load_sectors"), stores = count(lab, "global_store_sectors");
    uint64_t requests = count(lab, "global_loads");

    if (!lab_technique(lab, requests <= n / 32, "load requests of warps", requests, "<=", n / 32))
        lab_diagnose(lab, "too_many_loads");
    else if (!lab_technique(lab, loads <= sectors(n), "sectors that are loaded", loads,
                            "<=", sectors(n)) ||
             !lab_technique(lab, stores <= sectors(n), "sectors that are stored", stores,
                            "<=", sectors(n)))
        lab_diagnose(lab, id);
}

static void count_blocks(struct lab *lab, const struct lab_case *c) {
    struct lab_launch launch;

    scale_case(lab, c);
    if (lab_failed(lab))
        return;
    launch = lab_launch(lab, lab_largest_launch(lab));
    lab_predict(lab, "predicted_blocks", "How many blocks does `scale` launch for 1,000 numbers?",
                (int64_t)launch.n_blocks, "1000 / 256 = 3.9: three blocks are too few.");
    lab_predict(lab, "predicted_idle_threads", "How many of its threads find no number?",
                (int64_t)(launch.n_blocks * launch.n_threads) - (int64_t)c->n,
                "4 blocks of 256 are 1,024 threads, 24 more than numbers.");
    lab_expect_grid(lab, c->block, map_blocks(c->n, c->block));
}

static void count_traffic(struct lab *lab, const struct lab_case *c) {
    scale_case(lab, c);
    if (lab_failed(lab) || !lab_expect_grid(lab, c->block, map_blocks(c->n, c->block)))
        return;
    check_traffic(lab, c->n, "not_neighbours");
}

/* Fewer numbers than a block has threads: its size is the caller's all the same. */
static void count_few_numbers(struct lab *lab, const struct lab_case *c) {
    scale_case(lab, c);
    if (!lab_failed(lab))
        lab_expect_grid(lab, c->block, 1);
}

/* One number, which one warp stores, whatever the others are there for. */
static void count_one_number(struct lab *lab, const struct lab_case *c) {
    scale_case(lab, c);
    if (lab_failed(lab))
        return;
    uint64_t stores = count(lab, "global_stores");
    if (!lab_technique(lab, stores <= 1, "store requests of warps for one number", stores, "<=", 1))
        lab_diagnose(lab, "idle_threads_store");
}

static void count_host_threads(struct lab *lab, const struct lab_case *c) {
    host_case(lab, c);
    if (!lab_failed(lab))
        lab_expect_grid(lab, 256, 0);
}

static void launch_nothing(struct lab *lab) {
    lab_technique(lab, lab_n_launches(lab) == 0, "launches for no numbers", lab_n_launches(lab),
                  "==", 0);
}

static void scale_nothing(struct lab *lab, const struct lab_case *c) {
    scale_case(lab, c);
    if (!lab_failed(lab))
        launch_nothing(lab);
}

LAB_TEST(technique, has_a_thread_for_each_number) {
    lab_one(lab, 0, 256, scale_nothing);
    lab_one(lab, 0, 1025, scale_nothing); /* nothing is refused, since nothing is launched */
    lab_one(lab, 10, 256, count_few_numbers);
    lab_one(lab, 1, 256, count_one_number);
    lab_one(lab, 1000, 256, count_host_threads);
    lab_one(lab, 1000, 256, count_blocks);
    lab_one(lab, 1 << 14, 128, count_traffic);
}

/* The largest launch has this many blocks of 32 × 8 threads. */
static bool expect_picture_grid(struct lab *lab, unsigned width, unsigned height) {
    return lab_expect_grid(lab, 32 * 8, map_blocks(width, 32) * map_blocks(height, 8));
}

static void count_picture_blocks(struct lab *lab, const struct lab_case *c) {
    enum { HEIGHT = 60 };

    if (!negative_of(lab, (unsigned)c->n, HEIGHT, c->n))
        return;
    lab_predict(lab, "predicted_picture_blocks",
                "How many blocks of 32 × 8 threads does a picture of 100 × 60 pixels take?",
                (int64_t)lab_launch(lab, lab_largest_launch(lab)).n_blocks,
                "4 in x (100 / 32 = 3.1) times 8 in y (60 / 8 = 7.5).");
    expect_picture_grid(lab, (unsigned)c->n, HEIGHT);
}

/* Rows begin at multiples of 32 bytes. */
static void count_picture_traffic(struct lab *lab, const struct lab_case *c) {
    enum { HEIGHT = 32 };

    if (negative_of(lab, (unsigned)c->n, HEIGHT, c->n + 8) &&
        expect_picture_grid(lab, (unsigned)c->n, HEIGHT))
        check_traffic(lab, c->n * HEIGHT, "columns_for_rows");
}

LAB_TEST(technique, goes_along_the_rows) {
    lab_one(lab, 128, 32, count_picture_traffic);
    lab_one(lab, 100, 32, count_picture_blocks);
}

static void count_turns(struct lab *lab, const struct lab_case *c) {
    enum { BLOCKS = 2 };
    uint64_t warps = BLOCKS * c->block / 32;

    if (!scale_in_blocks(lab, c, BLOCKS))
        return;
    lab_predict(lab, "predicted_numbers_of_a_thread",
                "How many of 1,000 numbers does thread 0 have, in 2 blocks of 128 threads?",
                (int64_t)lab_ratio(count(lab, "global_loads"), warps),
                "Numbers 0, 256, 512 and 768: as far apart as the grid has threads.");
    lab_expect_grid(lab, c->block, BLOCKS);
}

static void count_strided_traffic(struct lab *lab, const struct lab_case *c) {
    enum { BLOCKS = 8 };

    if (scale_in_blocks(lab, c, BLOCKS) && lab_expect_grid(lab, c->block, BLOCKS))
        check_traffic(lab, c->n, "numbers_in_a_row");
}

/* More threads than numbers: the grid is the caller's all the same. */
static void count_idle_blocks(struct lab *lab, const struct lab_case *c) {
    enum { BLOCKS = 8 };

    if (scale_in_blocks(lab, c, BLOCKS))
        lab_expect_grid(lab, c->block, BLOCKS);
}

static void stride_through_nothing(struct lab *lab, const struct lab_case *c) {
    if (scale_in_blocks(lab, c, 2))
        launch_nothing(lab);
}

LAB_TEST(technique, strides_by_the_grid) {
    lab_one(lab, 0, 64, stride_through_nothing);
    lab_one(lab, 0, 1025, stride_through_nothing);
    lab_one(lab, 100, 64, count_idle_blocks);
    lab_one(lab, 1000, 128, count_turns);
    lab_one(lab, 1 << 16, 256, count_strided_traffic);
}
