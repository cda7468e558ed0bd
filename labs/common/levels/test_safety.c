/* What a correct sum never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/common/levels/sum.h"

/* Full blocks at each level, so that nothing but the order of accesses can be wrong. */
LAB_TEST(safety, has_no_race) {
    static const unsigned blocks[] = {2, 32, 64, 512};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        lab_any_order(lab, blocks[i], blocks[i], levels_case);
        lab_any_order(lab, 5 * (size_t)blocks[i], blocks[i], levels_case);
        lab_one(lab, (size_t)blocks[i] * blocks[i], blocks[i], levels_case);
    }
    lab_any_order(lab, 0, 32, levels_case);
}

/* Partial blocks, partial warps, odd blocks: whoever has no element, no neighbour, no block. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 31, 33, 100, 513, 1025, 4097};
    static const unsigned blocks[] = {32, 48, 100, 512};

    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

/* The same size, a smaller one and a larger one after the first: results that were kept are wrong
 * for other numbers at the same addresses, buffers are stale, or too large, or too small. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 5000, 20000, 0};
    static lab_case_body *const cases[] = {levels_case, levels_second_case, levels_third_case};

    for (size_t i = 0; levels_sums[i].function != NULL; i++)
        lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, cases[i]);
}

static void call_refused(struct lab *lab, const struct lab_case *c, bool is_block) {
    struct call_arg args[LEVELS_N_ARGS];
    struct call_arg in = lab_in("in", lab_random_i32(lab, c->n), c->n, sizeof(int32_t));
    int32_t sum;
    char why[64];

    lab_set_diagnoser(lab, levels_diagnose);
    levels_args(args, in, c->block, &sum);
    snprintf(why, sizeof why, "a block of %u threads", c->block);
    for (const struct levels_sum *f = levels_sums; f->function != NULL; f++)
        if (is_block)
            lab_call_refused_args(lab, f->function, why, args, LEVELS_N_ARGS);
        else
            lab_returns_refusals_args(lab, f->function, args, LEVELS_N_ARGS);
}

static void sum_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    call_refused(lab, c, true);
}

static void sum_without_a_launch(struct lab *lab, const struct lab_case *c) {
    call_refused(lab, c, false);
}

/* Blocks of one thread would leave as many partial sums as there are ints. */
static void sum_in_blocks_of_one(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[LEVELS_N_ARGS];
    struct call_arg in = lab_in("in", lab_random_i32(lab, c->n), c->n, sizeof(int32_t));
    int32_t sum;

    levels_args(args, in, 2, &sum);
    args[2].value.u64 = 1;
    for (const struct levels_sum *f = levels_sums; f->function != NULL; f++)
        lab_call_invalid_args(lab, f->function, "blocks of 1 thread", args, LEVELS_N_ARGS);
}

/* Refused for the block that was asked for (of which 16 bits leave 32 threads), and each launch of
 * several levels for no reason that the function could know. */
LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1025, sum_in_impossible_blocks);
    lab_one(lab, 5000, (1 << 16) + 32, sum_in_impossible_blocks);
    lab_one(lab, 10, 1025, sum_in_impossible_blocks); /* also where so many are not needed */
    lab_one(lab, 50, 1, sum_in_blocks_of_one);
    lab_one(lab, 0, 1, sum_in_blocks_of_one);
    lab_one(lab, 0, 64, sum_without_a_launch);
    lab_one(lab, 5000, 64, sum_without_a_launch);
}
