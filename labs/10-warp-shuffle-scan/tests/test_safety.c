/* What a correct scan never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/10-warp-shuffle-scan/tests/parts.h"

enum { MILLION_MS = 20000 };

/* Short warps first: who has no int must be there all the same. */
LAB_TEST(safety, asks_no_lane_that_is_absent) {
    lab_one(lab, 5, 32, warps_case);
    lab_any_order(lab, 5, 32, warps_case);
    lab_any_order(lab, 33, 64, warps_case);
    lab_any_order(lab, 500, 64, warps_case);
}

/* Full blocks first, so that nothing but the order of accesses can be wrong; of several warps,
 * whose totals have to wait for each other. */
LAB_TEST(safety, blocks_have_no_race) {
    static const unsigned blocks[] = {64, 512, 1024, 32};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        lab_any_order(lab, blocks[i], blocks[i], blocks_case);
        lab_any_order(lab, 4 * blocks[i], blocks[i], blocks_case);
    }
    lab_any_order(lab, 5, 64, blocks_case);
    lab_any_order(lab, 500, 96, blocks_case);
}

LAB_TEST(safety, tiles_have_no_race) {
    static const unsigned blocks[] = {32, 64, 512};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        lab_any_order(lab, blocks[i], blocks[i], scan_case);
        lab_any_order(lab, (size_t)blocks[i] * (blocks[i] < 64 ? 64 : 5), blocks[i], scan_case);
        lab_one(lab, (size_t)blocks[i] * 64, blocks[i], scan_case);
    }
    /* More tiles than a device holds blocks: who caps the grid goes round a loop, and what the
     * block left in shared memory is still read when it is filled again. */
    lab_allow_ms(lab, MILLION_MS);
    lab_one(lab, (1 << 20) + 3, 64, scan_case);
}

/* Partial tiles, partial warps, odd numbers of warps: whoever has no element, no neighbour, no
 * tile. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 2, 31, 33, 100, 513, 1025, 4097};
    static const unsigned blocks[] = {32, 96, 512};

    LAB_SWEEP(lab, sizes, blocks, warps_case);
    LAB_SWEEP(lab, sizes, blocks, blocks_case);
    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* The same size, a smaller one and a larger one after the first: results that were kept are wrong
 * for other numbers at the same addresses, buffers are stale, or too large, or too small. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 5000, 20000, 0};
    static lab_case_body *const bodies[] = {warps_case, blocks_case, scan_case};

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, bodies[i]);
}

enum { N_FUNCTIONS = 4 };

/* The arguments of the four functions, one after the other; returns how many. */
static size_t arguments(struct lab *lab, size_t function, const struct lab_case *c,
                        struct call_arg args[SCAN_N_ARGS], const char **name) {
    const int32_t *in = lab_random_i32(lab, c->n);
    int32_t *out = lab_memory(lab, c->n * sizeof *out);

    lab_set_diagnoser(lab, scan_diagnose);
    if (function < 2) {
        *name = (function == 0 ? &of_warps : &of_blocks)->function;
        parts_args(args, lab_in("in", in, c->n, sizeof *in), c->block, out);
        return PARTS_N_ARGS;
    }
    *name = scan_function(function == 3);
    scan_args(args, in, c->n, c->block, out);
    return SCAN_N_ARGS;
}

static void lose_a_launch(struct lab *lab, const struct lab_case *c) {
    for (size_t i = 0; i < N_FUNCTIONS; i++) {
        struct call_arg args[SCAN_N_ARGS];
        const char *name;
        size_t n_args = arguments(lab, i, c, args, &name);

        lab_returns_refusals_args(lab, name, args, n_args);
    }
}

static void scan_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    char why[64];

    snprintf(why, sizeof why, "a block of %u threads", c->block);
    for (size_t i = 0; i < N_FUNCTIONS; i++) {
        struct call_arg args[SCAN_N_ARGS];
        const char *name;
        size_t n_args = arguments(lab, i, c, args, &name);

        lab_call_refused_args(lab, name, why, args, n_args);
    }
}

static void scan_in_partial_warps(struct lab *lab, const struct lab_case *c) {
    static const unsigned blocks[] = {0, 31, 48, 100};

    for (size_t i = 0; i < N_FUNCTIONS; i++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            struct call_arg args[SCAN_N_ARGS];
            const char *name;
            char why[64];
            size_t n_args = arguments(lab, i, c, args, &name);

            args[2].value.u64 = blocks[b];
            snprintf(why, sizeof why, "blocks of %u threads", blocks[b]);
            lab_call_invalid_args(lab, name, why, args, n_args);
        }
}

/* Each launch refused for no reason that the function could know; blocks that the device refuses
 * (of one, 16 bits leave 32 threads); blocks that the header does. */
LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 64, lose_a_launch);
    lab_one(lab, 0, 64, lose_a_launch);
    lab_one(lab, 5000, 1056, scan_in_impossible_blocks);
    lab_one(lab, 5000, (1 << 16) + 32, scan_in_impossible_blocks);
    lab_one(lab, 5000, 64, scan_in_partial_warps);
}
