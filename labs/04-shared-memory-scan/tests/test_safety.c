/* What a correct scan never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/common/scan/scan.h"

enum { MILLION_MS = 20000 };

/* Full tiles at each level, so that nothing but the order of accesses can be wrong. */
LAB_TEST(safety, has_no_race) {
    static const unsigned blocks[] = {32, 2, 64, 512};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        lab_any_order(lab, blocks[i], blocks[i], scan_case);
        lab_any_order(lab, (size_t)blocks[i] * (blocks[i] < 64 ? 64 : 5), blocks[i], scan_case);
        lab_one(lab, (size_t)blocks[i] * 64, blocks[i], scan_case);
    }
    /* More tiles than a device holds blocks: who caps the grid goes round a loop, and what the
     * block left in shared memory is still read when it is filled again. */
    lab_allow_ms(lab, MILLION_MS);
    lab_one(lab, (1 << 20) + 3, 64, scan_case);
}

/* Partial tiles, partial warps, odd blocks: whoever has no element, no neighbour, no tile. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 2, 31, 33, 100, 513, 1025, 4097};
    static const unsigned blocks[] = {32, 48, 100, 512};

    LAB_SWEEP(lab, sizes, blocks, scan_case);
}

/* The same size, a smaller one and a larger one after the first: results that were kept are wrong
 * for other numbers at the same addresses, buffers are stale, or too large, or too small. */
LAB_TEST(safety, keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 5000, 20000, 0};

    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, scan_case);
}

static void call_refused(struct lab *lab, const struct lab_case *c, bool is_block) {
    struct call_arg args[SCAN_N_ARGS];
    char why[64];

    lab_set_diagnoser(lab, scan_diagnose);
    scan_args(args, lab_random_i32(lab, c->n), c->n, c->block,
              lab_memory(lab, c->n * sizeof(int32_t)));
    snprintf(why, sizeof why, "a block of %u threads", c->block);
    for (int form = 0; form < 2; form++)
        if (is_block)
            lab_call_refused_args(lab, scan_function(form != 0), why, args, SCAN_N_ARGS);
        else
            lab_returns_refusals_args(lab, scan_function(form != 0), args, SCAN_N_ARGS);
}

static void scan_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    call_refused(lab, c, true);
}

static void scan_without_a_launch(struct lab *lab, const struct lab_case *c) {
    call_refused(lab, c, false);
}

/* Blocks of one thread would leave as many totals as there are ints. */
static void scan_in_blocks_of_one(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[SCAN_N_ARGS];

    scan_args(args, lab_random_i32(lab, c->n), c->n, 2, lab_memory(lab, c->n * sizeof(int32_t)));
    args[2].value.u64 = 1;
    for (int form = 0; form < 2; form++)
        lab_call_invalid_args(lab, scan_function(form != 0), "blocks of 1 thread", args,
                              SCAN_N_ARGS);
}

/* Refused for the block that was asked for (of which 16 bits leave 32 threads), and each launch of
 * several levels for no reason that the function could know. */
LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1025, scan_in_impossible_blocks);
    lab_one(lab, 5000, (1 << 16) + 32, scan_in_impossible_blocks);
    lab_one(lab, 50, 1, scan_in_blocks_of_one);
    lab_one(lab, 0, 64, scan_without_a_launch);
    lab_one(lab, 5000, 64, scan_without_a_launch);
}
