/* What a right answer never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/14-capstone/tests/fast.h"

enum { MILLION_MS = 20000 };

LAB_TEST(safety, sums_in_any_order) {
    lab_allow_ms(lab, MILLION_MS);
    lab_any_order(lab, 100, ANY_BLOCK, fast_sum_case);
    lab_any_order(lab, 5000, ANY_BLOCK, fast_sum_case);
    lab_any_order(lab, 200003, ANY_BLOCK, fast_sum_case);
}

/* The simulator's device holds fewer blocks than a million ints have tiles: who waits for a block
 * by its number may wait for one that gets no place. Another device holds them all: more tiles in a
 * row than a warp looks at together have told of themselves alone. */
LAB_TEST(safety, scans_in_any_order) {
    lab_allow_ms(lab, MILLION_MS);
    lab_any_order(lab, 100, ANY_BLOCK, fast_scan_case);
    lab_any_order(lab, 5000, ANY_BLOCK, fast_scan_case);
    lab_any_order(lab, 70001, ANY_BLOCK, fast_scan_case);
    lab_any_order(lab, (1 << 20) + 7, ANY_BLOCK, fast_scan_case);
    lab_on_another_device(lab, true);
    lab_any_order(lab, (5 << 17) + 8, ANY_BLOCK, fast_scan_case);
    lab_on_another_device(lab, false);
}

/* Partial quads, warps and tiles. */
static const size_t partial[] = {1, 2, 5, 31, 33, 100, 1025, 4097, 20001};
static const unsigned any_blocks[] = {ANY_BLOCK};

LAB_TEST(safety, sum_stays_inside_its_buffers) {
    LAB_SWEEP(lab, partial, any_blocks, fast_sum_case);
}

LAB_TEST(safety, scan_stays_inside_its_buffers) {
    LAB_SWEEP(lab, partial, any_blocks, fast_scan_case);
}

/* What the call before left behind. */
static const size_t in_turn[] = {5000, 5000, 1666, 70000, 5000, 200000, 0};

LAB_TEST(safety, sum_keeps_no_state) {
    lab_in_turn(lab, in_turn, sizeof in_turn / sizeof *in_turn, ANY_BLOCK, fast_sum_case);
}

LAB_TEST(safety, scan_keeps_no_state) {
    lab_in_turn(lab, in_turn, sizeof in_turn / sizeof *in_turn, ANY_BLOCK, fast_scan_case);
}

static void sum_is_refused(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[FAST_N_ARGS];
    int32_t sum = 0;

    lab_set_diagnoser(lab, scan_diagnose);
    fast_sum_args(args, lab_in("in", lab_random_i32(lab, c->n), c->n, 4), c->block, &sum);
    lab_returns_refusals_args(lab, "sum_fast", args, FAST_N_ARGS);
}

static void scan_is_refused(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[FAST_N_ARGS];

    lab_set_diagnoser(lab, scan_diagnose);
    fast_scan_args(args, lab_in("in", lab_random_i32(lab, c->n), c->n, 4),
                   lab_out("out", lab_memory(lab, c->n * 4), c->n, 4));
    lab_returns_refusals_args(lab, "scan_fast", args, FAST_N_ARGS);
}

LAB_TEST(safety, sum_returns_launch_errors) {
    lab_one(lab, 5000, ANY_BLOCK, sum_is_refused);
    lab_one(lab, 0, ANY_BLOCK, sum_is_refused);
}

LAB_TEST(safety, scan_returns_launch_errors) {
    lab_one(lab, 5000, ANY_BLOCK, scan_is_refused);
    lab_one(lab, 0, ANY_BLOCK, scan_is_refused);
}
