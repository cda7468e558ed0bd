/* What a correct sum never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

LAB_TEST(safety, asks_no_lane_that_is_absent) {
    static const size_t sizes[] = {32, 5, 33, 500};
    static const unsigned block_sizes[] = {32, 64};

    /* Short warps first in the usual order: what is wrong there has a cause of its own. */
    lab_one(lab, 5, 32, warps_all_case);
    lab_one(lab, 5, 32, warps_first_case);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 2; j++) {
            lab_any_order(lab, sizes[i], block_sizes[j], warps_all_case);
            lab_any_order(lab, sizes[i], block_sizes[j], warps_first_case);
        }
}

LAB_TEST(safety, has_no_race) {
    static const unsigned block_sizes[] = {32, 64, 512, 1024};

    for (size_t i = 0; i < sizeof block_sizes / sizeof block_sizes[0]; i++) {
        lab_any_order(lab, 4 * block_sizes[i], block_sizes[i], blocks_case);
        lab_any_order(lab, 40 * block_sizes[i], block_sizes[i], grid_case);
    }
}

LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 31, 100, 513, 4097};
    static const unsigned block_sizes[] = {32, 96, 512};

    LAB_SWEEP(lab, sizes, block_sizes, blocks_case);
    LAB_SWEEP(lab, sizes, block_sizes, grid_case);
}

/* Other numbers at the same addresses, then fewer and more. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 5000, 20000, 0};
    static lab_case_body *const bodies[] = {warps_all_case, warps_first_case, blocks_case,
                                            grid_case};

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, bodies[i]);
}

static const struct shuffle *const functions[] = {&warps_all, &warps_first, &blocks, &grid};

/* All functions, in blocks that the device refuses, or else each launch refused in turn. */
static void call_refused(struct lab *lab, const struct lab_case *c, bool is_block) {
    char why[64];
    struct lab_drawn drawn = lab_draw(lab, LAB_F32_WHOLE, c->n);
    float *in = lab_drawn_f32(lab, &drawn), *out = lab_memory(lab, c->n * sizeof *out);
    struct call_arg args[SHUFFLE_N_ARGS];

    lab_set_diagnoser(lab, shuffle_diagnose);
    snprintf(why, sizeof why, "a block of %u threads", c->block);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const char *function = functions[i]->function;

        shuffle_args(args, functions[i], lab_in("in", in, c->n, sizeof *in), c->block, out);
        if (is_block)
            lab_call_refused_args(lab, function, why, args, SHUFFLE_N_ARGS);
        else
            lab_returns_refusals_args(lab, function, args, SHUFFLE_N_ARGS);
    }
}

static void sum_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    call_refused(lab, c, true);
}

static void sum_without_a_launch(struct lab *lab, const struct lab_case *c) {
    call_refused(lab, c, false);
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1056, sum_in_impossible_blocks);
    lab_one(lab, 5000, (1 << 16) + 32, sum_in_impossible_blocks); /* of 16 bits, 32 are left */
    lab_one(lab, 0, 64, sum_without_a_launch);
    lab_one(lab, 5000, 64, sum_without_a_launch);
}
