/* What a correct kernel never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/05-pi-trapezoid/tests/pi_case.h"

/* More points than threads, so that nothing but the order of accesses can be wrong. */
LAB_TEST(safety, has_no_race) {
    static const unsigned blocks[] = {32, 64, 512, 1024};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        lab_one(lab, 70000, blocks[i], pi_case);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        lab_any_order(lab, 3 * (size_t)blocks[i], blocks[i], pi_case);
}

/* Fewer points than threads, partial warps, odd blocks: whoever has no point, and no partner. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 2, 31, 33, 100, 513, 4097};
    static const unsigned blocks[] = {32, 48, 100, 512};

    LAB_SWEEP(lab, sizes, blocks, pi_case);
}

/* The same number of intervals, then others, each with a grid of its own. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 5000, 20000, 0};

    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, pi_case);
}

static void compute_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[PI_N_ARGS];
    double pi;
    char why[64];

    lab_set_diagnoser(lab, pi_diagnose);
    pi_args(args, c->n, c->block, 4, &pi);
    snprintf(why, sizeof why, "a block of %u threads", c->block);
    lab_call_refused_args(lab, "pi_trapezoid", why, args, PI_N_ARGS);
}

static void compute_without_a_launch(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[PI_N_ARGS];
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    pi_args(args, c->n, c->block, 4, &pi);
    lab_returns_refusals_args(lab, "pi_trapezoid", args, PI_N_ARGS);
}

/* Refused for the block that was asked for, and each launch for no reason that the function could
 * know. */
LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1025, compute_in_impossible_blocks);
    lab_one(lab, 5000, (1 << 16) + 32, compute_in_impossible_blocks); /* of 16 bits, 32 are left */
    lab_one(lab, 0, 64, compute_without_a_launch);
    lab_one(lab, 5000, 64, compute_without_a_launch);
}
