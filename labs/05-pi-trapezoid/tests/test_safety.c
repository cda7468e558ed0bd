/* What a correct kernel never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/05-pi-trapezoid/tests/pi_case.h"

/* More points than threads, so that nothing but the order of accesses can be wrong. */
LAB_TEST(safety, has_no_race) {
    static const size_t sizes[] = {70000};
    static const unsigned blocks[] = {32, 64, 512, 1024};

    PI_SWEEP(lab, sizes, blocks);
}

/* Fewer points than threads, partial warps, odd blocks: whoever has no point, and no partner. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 2, 31, 33, 100, 513, 4097};
    static const unsigned blocks[] = {32, 48, 100, 512};

    PI_SWEEP(lab, sizes, blocks);
}

/* Calls made so far in this process, which serves one test. */
static unsigned n_calls;

/* What was right once and is wrong again is so because of what was left behind. */
static void diagnose_again(struct lab *lab, const struct lab_case *c, const char *verdict) {
    if (n_calls > 1)
        lab_diagnose(lab, "state_between_calls");
    else
        pi_diagnose(lab, c, verdict);
}

/* The same size and grid, then others. */
static void compute_again(struct lab *lab, const struct lab_case *c) {
    const size_t sizes[] = {c->n, c->n, c->n / 3, 4 * c->n};
    const unsigned blocks[] = {4, 4, 2, 9};
    double pi;

    lab_set_diagnoser(lab, diagnose_again);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        n_calls++;
        if (!pi_compute(lab, sizes[i], c->block, blocks[i], &pi))
            return;
    }
}

LAB_TEST(safety, keeps_no_state) {
    lab_one(lab, 5000, 64, compute_again);
}

static void compute_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[PI_N_ARGS];
    double pi;

    lab_set_diagnoser(lab, pi_diagnose);
    pi_args(args, c->n, c->block, 4, &pi);
    lab_call_refused_args(lab, "pi_trapezoid", "a block of 1025 threads", args, PI_N_ARGS);
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1025, compute_in_impossible_blocks);
}
