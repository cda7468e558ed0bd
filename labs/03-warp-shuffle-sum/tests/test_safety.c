/* What a correct sum never does, whatever comes out. Always on the simulator, which sees it. */
#include "labs/03-warp-shuffle-sum/tests/shuffle.h"

LAB_TEST(safety, asks_no_lane_that_is_absent) {
    static const size_t sizes[] = {32, 5, 33, 500};
    static const unsigned block_sizes[] = {32, 64};

    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 2; j++) {
            lab_one(lab, sizes[i], block_sizes[j], warps_all_case);
            lab_one(lab, sizes[i], block_sizes[j], warps_first_case);
        }
}

LAB_TEST(safety, has_no_race) {
    static const unsigned block_sizes[] = {32, 64, 512, 1024};

    for (size_t i = 0; i < sizeof block_sizes / sizeof block_sizes[0]; i++) {
        lab_one(lab, 4 * block_sizes[i], block_sizes[i], blocks_case);
        lab_one(lab, 40 * block_sizes[i], block_sizes[i], grid_case);
    }
}

LAB_TEST(safety, stays_inside_its_buffers) {
    static const size_t sizes[] = {1, 31, 100, 513, 4097};
    static const unsigned block_sizes[] = {32, 96, 512};

    SHUFFLE_SWEEP(lab, sizes, block_sizes, blocks_case);
    SHUFFLE_SWEEP(lab, sizes, block_sizes, grid_case);
}

/* Calls made so far in this process, which serves one test. */
static unsigned n_calls;

/* What was right once and is wrong again is so because of what was left behind. */
static void diagnose_again(struct lab *lab, const struct lab_case *c, const char *verdict) {
    if (n_calls > 1)
        lab_diagnose(lab, "state_between_calls");
    else
        shuffle_diagnose(lab, c, verdict);
}

static void sum_again(struct lab *lab, const struct lab_case *c) {
    const size_t sizes[] = {c->n, c->n, c->n / 3, 4 * c->n};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && !lab_failed(lab); i++) {
        struct lab_case one = {.n = sizes[i], .block = c->block, .seed = c->seed};

        n_calls++;
        shuffle_whole_by(lab, &grid, &one, diagnose_again);
    }
}

LAB_TEST(safety, keeps_no_state) {
    lab_one(lab, 5000, 64, sum_again);
}
