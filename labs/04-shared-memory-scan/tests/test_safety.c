/* What a correct scan never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/04-shared-memory-scan/tests/scan_case.h"

/* Full tiles at each level, so that nothing but the order of accesses can be wrong. */
LAB_TEST(safety, has_no_race) {
    static const unsigned blocks[] = {2, 32, 64, 512};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        lab_one(lab, blocks[i], blocks[i], scan_case);
        lab_one(lab, (size_t)blocks[i] * 64, blocks[i], scan_case);
    }
}

/* Partial tiles, partial warps, odd blocks: whoever has no element, no neighbour, no tile. */
LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 2, 31, 33, 100, 513, 1025, 4097};
    static const unsigned blocks[] = {32, 48, 100, 512};

    SCAN_SWEEP(lab, sizes, blocks);
}

/* Calls made so far in this process, which serves one test. */
static unsigned n_calls;

/* What was right once and is wrong with as many levels and a partial tile again is so because of
 * what was left behind. */
static void diagnose_again(struct lab *lab, const struct lab_case *c, const char *verdict) {
    if (n_calls > 2)
        lab_diagnose(lab, "state_between_calls");
    else
        scan_diagnose(lab, c, verdict);
}

/* The same size, a smaller one and a larger one after the first: buffers kept from it would be
 * stale, or too large, or too small. */
static void scan_again(struct lab *lab, const struct lab_case *c) {
    const size_t sizes[] = {c->n, c->n, c->n / 3, 4 * c->n};

    lab_set_diagnoser(lab, diagnose_again);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        n_calls++;
        if (!scan_ints(lab, lab_random_i32(lab, sizes[i / 2]), sizes[i / 2], c->block, i % 2 != 0))
            return;
    }
}

LAB_TEST(safety, keeps_no_state) {
    lab_one(lab, 5000, 64, scan_again);
}

static void scan_in_impossible_blocks(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[SCAN_N_ARGS];

    lab_set_diagnoser(lab, scan_diagnose);
    for (int form = 0; form < 2; form++) {
        scan_args(args, lab_random_i32(lab, c->n), c->n, c->block,
                  lab_memory(lab, c->n * sizeof(int32_t)));
        lab_call_refused_args(lab, scan_function(form != 0), "a block of 1025 threads", args,
                              SCAN_N_ARGS);
    }
}

LAB_TEST(safety, returns_launch_errors) {
    lab_one(lab, 5000, 1025, scan_in_impossible_blocks);
}
