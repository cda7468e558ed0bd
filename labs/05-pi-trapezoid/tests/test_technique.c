/*
 * The lab's idea, by the simulator's counters of the largest launch: the grid that was asked for
 * goes through all points, nothing is read, all lanes work, and the threads' sums are added up
 * once. The handout derives the counts.
 */
#include <math.h>

#include "labs/05-pi-trapezoid/tests/pi_case.h"

enum { BLOCKS = 8 };

/* Of the launch that goes through the points. */
static uint64_t count(const struct lab *lab, const char *name) {
    return lab_counter(lab, lab_largest_launch(lab), name);
}

static bool compute(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    return pi_compute(lab, c->n, c->block, BLOCKS, &pi);
}

static void check(struct lab *lab, const char *what, uint64_t got, const char *relation,
                  uint64_t wanted, const char *id) {
    bool holds = relation[0] == '<'   ? got <= wanted
                 : relation[0] == '>' ? got >= wanted
                                      : got == wanted;

    if (!lab_technique(lab, holds, what, got, relation, wanted))
        lab_diagnose(lab, id);
}

static void count_traffic(struct lab *lab, const struct lab_case *c) {
    uint64_t atomics, stores, sectors;

    if (!compute(lab, c))
        return;
    atomics = count(lab, "atomics");
    stores = count(lab, "global_stores");
    sectors = count(lab, "global_load_sectors");
    lab_predict(lab, "predicted_memory_requests",
                "How many requests does the kernel that goes through the points make to global "
                "memory, in 8 blocks?",
                (int64_t)(count(lab, "global_loads") + stores),
                "Nothing is loaded: a point's x follows from its number. Each of the 8 blocks "
                "stores its sum, once.");
    lab_expect_grid(lab, c->block, BLOCKS);
    check(lab, "atomics of the largest launch", atomics, "<=", BLOCKS, "atomic_by_every_thread");
    check(lab, "stores of the largest launch", stores, "<=", BLOCKS + 2, "stores_too_much");
    /* The last block may read what all have left. */
    check(lab, "load sectors of the largest launch", sectors, "<=", BLOCKS,
          "loads_what_it_could_compute");
}

/* More threads than points: what was asked for is launched all the same. */
static void count_few_points(struct lab *lab, const struct lab_case *c) {
    if (compute(lab, c))
        lab_expect_grid(lab, c->block, BLOCKS);
}

LAB_TEST(technique, reads_nothing) {
    lab_one(lab, 100, 64, count_few_points);
    lab_one(lab, 1000, 100, count_few_points); /* no whole warps */
    lab_one(lab, 1 << 16, 256, count_traffic);
}

/* In the case before. */
static uint64_t barriers_before, exchanged_before;

/* Sixteen times as many points, and the same work for adding up. */
static void count_reductions(struct lab *lab, const struct lab_case *c) {
    uint64_t barriers, exchanged, warps = BLOCKS * c->block / 32;

    if (!compute(lab, c))
        return;
    barriers = count(lab, "barriers");
    exchanged = count(lab, "shared_loads") + count(lab, "shuffles");
    if (barriers_before + exchanged_before == 0) {
        barriers_before = barriers;
        exchanged_before = exchanged;
        return;
    }
    lab_predict(lab, "predicted_barriers_of_a_warp",
                "How many barriers does each of its warps wait at, in blocks of 256 threads?",
                (int64_t)(barriers / warps),
                "As many as your sum of a block has, once: a tree in shared memory takes one after "
                "the store and one in each of log2(256) = 8 steps, a sum by shuffles one.");
    check(lab, "barriers with 2^17 points, against 2^13", barriers, "<=", barriers_before,
          "adds_up_in_the_loop");
    check(lab, "shared loads and shuffles with 2^17 points, against 2^13", exchanged,
          "<=", exchanged_before, "adds_up_in_the_loop");
}

LAB_TEST(technique, adds_up_once) {
    lab_one(lab, 1 << 13, 256, count_reductions);
    lab_one(lab, 1 << 17, 256, count_reductions);
}

/* 64 points a thread, or nearly 32: what the loop does outweighs the sum of the block. */
static void count_lanes(struct lab *lab, const struct lab_case *c) {
    uint64_t warp, thread;

    if (!compute(lab, c))
        return;
    warp = count(lab, "warp_instructions");
    thread = count(lab, "thread_instructions");
    check(lab, "lanes at work of 32, on average", lab_ratio(thread, warp), ">=", 24, "lanes_rest");
}

LAB_TEST(technique, keeps_lanes_busy) {
    lab_one(lab, 1 << 17, 256, count_lanes);
    lab_one(lab, (1 << 16) - 2, 256, count_lanes); /* whoever takes what is left over has 2,047 */
}

/* The case's errors: the larger n has the smaller one. */
static double error_before, least_error;

static void measure_order(struct lab *lab, const struct lab_case *c) {
    double pi, error, percent;

    lab_set_diagnoser(lab, pi_diagnose);
    if (!pi_compute(lab, c->n, c->block, BLOCKS, &pi))
        return;
    error = M_PI - pi;
    if (c->n == 4096)
        error_before = error;
    if (c->n < 8192)
        return;
    least_error = error;
    percent = round(100 * error_before / error);
    check(lab, "error at n = 4096, in percent of that at n = 8192", (uint64_t)percent, ">=", 282,
          "other_order");
    check(lab, "error at n = 4096, in percent of that at n = 8192", (uint64_t)percent, "<=", 284,
          "other_order");
}

/* Behind the others, with a quarter of their intervals. */
static void compare_orders(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    if (pi_compute(lab, c->n, c->block, BLOCKS, &pi))
        lab_predict(
            lab, "predicted_error_ratio_percent_2048",
            "The error at n = 2048 is how many percent of that at n = 8192?",
            (int64_t)round(100 * (M_PI - pi) / least_error),
            "4^1.5 = 8 times. A smooth integrand would give 16; the infinite slope at x = 1 "
            "takes half an order away.");
}

static size_t enough; /* the first m for which 2^m intervals give five digits */

static void find_enough(struct lab *lab, const struct lab_case *c) {
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    if (!pi_compute(lab, c->n, c->block, BLOCKS, &pi) || enough > 0 || fabs(M_PI - pi) >= 1e-5)
        return;
    while ((size_t)1 << enough < c->n)
        enough++;
    lab_predict(lab, "predicted_log2_intervals_for_5_digits",
                "The rule's value is within 10^-5 of pi from n = 2^m on. Which m?", (int64_t)enough,
                "The error is 1.176 n^-1.5, so n must be more than (1.176 * 10^5)^(2/3) = 2,400.");
}

LAB_TEST(technique, converges_with_order_1_5) {
    lab_one(lab, 4096, 256, measure_order);
    lab_one(lab, 8192, 256, measure_order);
    lab_one(lab, 2048, 256, compare_orders);
    for (unsigned m = 10; m <= 16; m++)
        lab_one(lab, (size_t)1 << m, 256, find_enough);
}
