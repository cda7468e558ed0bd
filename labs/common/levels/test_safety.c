/* What a correct sum never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/common/levels/sum.h"

/* Full blocks at each level, so that nothing but the order of accesses can be wrong. */
LAB_TEST(safety, has_no_race) {
    static const unsigned blocks[] = {2, 32, 64, 512};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        lab_one(lab, blocks[i], blocks[i], levels_case);
        lab_one(lab, (size_t)blocks[i] * blocks[i], blocks[i], levels_case);
    }
}

/* Partial blocks, partial warps, odd blocks: whoever has no element, no neighbour, no block. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 31, 33, 100, 513, 1025, 4097};
    static const unsigned blocks[] = {32, 48, 100, 512};

    LEVELS_SWEEP(lab, sizes, blocks, levels_case);
}

/* Calls made so far in this process, which serves one test. */
static unsigned n_calls;

/* What was right once and is wrong with as many levels and a partial block again is so because of
 * what was left behind. */
static void diagnose_again(struct lab *lab, const struct lab_case *c, const char *verdict) {
    if (n_calls > 1)
        lab_diagnose(lab, "state_between_calls");
    else
        levels_diagnose(lab, c, verdict);
}

/* The same size, a smaller one and a larger one after the first: buffers kept from it would be
 * stale, or too large, or too small. */
static void sum_again(struct lab *lab, const struct lab_case *c) {
    const size_t sizes[] = {c->n, c->n, c->n / 3, 4 * c->n};

    lab_set_diagnoser(lab, diagnose_again);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        n_calls++;
        if (!levels_ints(lab, levels_sums[0].function, lab_random_i32(lab, sizes[i]), sizes[i],
                         c->block))
            return;
    }
}

LAB_TEST(safety, keeps_no_state) {
    lab_one(lab, 5000, 64, sum_again);
}

static void sum_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[LEVELS_N_ARGS];
    int32_t sum;

    lab_set_diagnoser(lab, levels_diagnose);
    levels_args(args, lab_in("in", lab_random_i32(lab, c->n), c->n, sizeof sum), c->block, &sum);
    lab_call_refused_args(lab, levels_sums[0].function, "a block of 1025 threads", args,
                          LEVELS_N_ARGS);
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1025, sum_in_impossible_blocks);
}
