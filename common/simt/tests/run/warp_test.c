/*
 * How warps run: divergence and where it ends, progress of diverged lanes, syncs of lanes.
 */
#include <criterion/criterion.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(warp, .timeout = 20);

FIXTURE_TEST(warp, adds_vectors_with_a_partial_last_block) {
    enum { N = 1000 };
    struct {
        uint64_t a, b, c;
        int n;
    } params = {fixture_ramp(fixture, "a", N), fixture_ramp(fixture, "b", N),
                fixture_unwritten(fixture, "c", N), N};
    fixture_pass(fixture, "add", 8, 128, 0, &params);
    for (int i = 0; i < N; i++)
        cr_assert_eq(fixture_int(fixture, params.c, (size_t)i), 2 * i);
    fixture_expect_quiet(fixture);
    /* 1,000 threads are 31 full warps and one of 8 lanes, which diverges. */
    cr_expect_eq(fixture_total(fixture).divergent_branches, 1);
    cr_expect_eq(fixture_total(fixture).global_loads, 64);
    cr_expect_eq(fixture_total(fixture).global_load_sectors, 2 * 125);
}

FIXTURE_TEST(warp, knows_its_indices_in_three_dimensions) {
    uint64_t out = fixture_unwritten(fixture, "out", 2 * 3 * 5 * 7 * 3);
    struct simt_kernel *kernel = simt_kernel_find(fixture->module, "indices");
    cr_assert_eq(simt_launch(fixture->simt, kernel, (struct simt_dim3){2, 3, 1},
                             (struct simt_dim3){5, 7, 3}, 0, &out, &fixture->diag),
                 SIMT_OK);
    size_t i = 0;
    for (int block = 0; block < 6; block++)
        for (int z = 0; z < 3; z++)
            for (int y = 0; y < 7; y++)
                for (int x = 0; x < 5; x++)
                    cr_assert_eq(fixture_int(fixture, out, i++),
                                 x | y << 8 | z << 16 | block << 24);
}

/* Lane t adds where t is a multiple of 2 * stride: up to stride 16 each of the 16 warps has both
 * kinds of lanes, after that whole warps agree except each 2 * stride / 32-th one. */
FIXTURE_TEST(warp, diverges_per_stride_as_derived) {
    static const unsigned expected[] = {16, 16, 16, 16, 16, 8, 4, 2, 1};
    struct {
        uint64_t out;
        unsigned stride;
    } params = {fixture_unwritten(fixture, "out", 512), 1};
    for (unsigned k = 0; k < 9; k++, params.stride *= 2) {
        fixture_pass(fixture, "add_neighbour", 1, 512, 2048, &params);
        cr_expect_eq(fixture_at(fixture, "@stride").divergent_branches, expected[k], "stride %u",
                     params.stride);
        cr_expect_eq(fixture_at(fixture, "@stride").branches, 16);
    }
}

/* 32 lanes with 0 to 16 rounds: the loop's branch runs 17 times, in each some lanes leave. */
FIXTURE_TEST(warp, waits_behind_a_loop_for_all_its_lanes) {
    uint64_t out = fixture_zeros(fixture, "out", 32);
    fixture_pass(fixture, "countdown", 1, 32, 0, &out);
    for (int t = 0; t < 32; t++)
        cr_expect_eq(fixture_int(fixture, out, (size_t)t), (t + 1) / 2, "thread %d", t);
    cr_expect_eq(fixture_total(fixture).global_stores, 1, "one store of a whole warp");
}

/* A block of one thread never diverges: it is the reference for the lanes of full warps. */
FIXTURE_TEST(warp, goes_each_lanes_way_as_if_it_were_alone) {
    enum { N = 1024 };
    uint64_t together = fixture_unwritten(fixture, "together", N),
             alone = fixture_unwritten(fixture, "alone", N);
    fixture_pass(fixture, "wander", 2, N / 2, 0, &together);
    struct simt_counters in_warps = fixture_total(fixture);
    fixture_pass(fixture, "wander", N, 1, 0, &alone);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(fixture_int(fixture, together, i), fixture_int(fixture, alone, i),
                     "thread %zu", i);
    cr_expect_eq(fixture_total(fixture).divergent_branches, 0);
    cr_expect_eq(fixture_total(fixture).thread_instructions, in_warps.thread_instructions,
                 "each thread runs the same instructions");
    cr_expect_gt(in_warps.divergent_branches, 1000);
}

FIXTURE_TEST(warp, finishes_a_spin_lock_between_its_lanes) {
    struct {
        uint64_t lock, sum;
    } params = {fixture_zeros(fixture, "lock", 1), fixture_zeros(fixture, "sum", 1)};
    fixture_pass(fixture, "locked_add", 2, 64, 0, &params);
    cr_expect_eq(fixture_int(fixture, params.sum, 0), 2 * 63 * 64 / 2);
}

FIXTURE_TEST(warp, lets_a_warp_wait_for_another) {
    struct {
        uint64_t flag, out;
    } params = {fixture_zeros(fixture, "flag", 1), fixture_zeros(fixture, "out", 96)};
    fixture_pass(fixture, "wait_for_last_warp", 1, 96, 0, &params);
    cr_expect_eq(fixture_int(fixture, params.out, 0), 1);
    fixture_expect_quiet(fixture);
}

/* What follows may rely on it: a lane's update behind the sync, then one load by all. */
FIXTURE_TEST(warp, is_whole_again_behind_a_sync) {
    struct {
        uint64_t flag, out;
    } params = {fixture_zeros(fixture, "flag", 1), fixture_zeros(fixture, "out", 64)};
    fixture_pass(fixture, "meet_at_a_sync", 1, 64, 0, &params);
    cr_expect_eq(fixture_at(fixture, "@behind_the_sync").global_stores, 2, "one a warp");
    cr_expect_eq(fixture_at(fixture, "@behind_the_barrier").global_stores, 2);
}

FIXTURE_TEST(warp, names_the_loop_in_which_its_time_ends) {
    simt_options(fixture->simt)->timeout_ms = 100;
    struct {
        uint64_t out;
        int step;
    } params = {fixture_zeros(fixture, "out", 64), 0};
    cr_assert_eq(fixture_run(fixture, "endless", 4, 64, 0, &params), SIMT_TIMEOUT);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_LATE);
    cr_expect_eq(finding->here.line, fixture_line("@endless"));
    cr_expect_eq(fixture->diag.line, fixture_line("@endless"));
    cr_expect_eq(fixture->report.launches[0].status, SIMT_TIMEOUT);
    params.step = 1;
    cr_expect_eq(fixture_run(fixture, "endless", 4, 64, 0, &params), SIMT_OK, "the device goes on");
}

FIXTURE_TEST(warp, sums_by_shuffles) {
    uint64_t out = fixture_unwritten(fixture, "out", 64);
    fixture_pass(fixture, "shuffle_sum", 1, 64, 0, &out);
    cr_expect_eq(fixture_int(fixture, out, 0), 496);
    cr_expect_eq(fixture_int(fixture, out, 32), 496 + 32 * 32);
    cr_expect_eq(fixture_total(fixture).shuffles, 2 * 5);
    fixture_expect_quiet(fixture);
}

/* The message names who called with which mask, and who the mask names that is elsewhere. */
FIXTURE_TEST(warp, tells_which_lane_a_mask_names_in_vain) {
    struct {
        uint64_t out;
        unsigned first;
    } params = {fixture_zeros(fixture, "out", 32), 0x000001ff};
    cr_assert_eq(fixture_run(fixture, "two_masks", 1, 32, 0, &params), SIMT_DEADLOCK);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_DEADLOCK);
    cr_expect_not_null(strstr(finding->message, "Thread 0 of block 0 calls"), "%s",
                       finding->message);
    cr_expect_not_null(strstr(finding->message,
                              "with the mask 0x000001ff, which names lane 8, but that lane, thread "
                              "8 of block 0, waits at the barrier"),
                       "%s", finding->message);
    cr_expect_eq(finding->here.line, fixture_line("@two_masks_first"));
    cr_expect_eq(finding->other.line, fixture_line("@two_masks_rest"));
    cr_expect_null(fixture_finding(fixture, SIMT_FINDING_INVALID_SYNC));
    params.first = 0xff;
    cr_expect_eq(fixture_run(fixture, "two_masks", 1, 32, 0, &params), SIMT_OK, "%s",
                 fixture->diag.message);
    fixture_expect_quiet(fixture);
    params.first = 0x7f;
    cr_expect_eq(fixture_run(fixture, "two_masks", 1, 32, 0, &params), SIMT_OK, "%s",
                 fixture->diag.message);
    finding = fixture_found(fixture, SIMT_FINDING_INVALID_SYNC);
    cr_expect_not_null(strstr(finding->message, "with the mask 0x0000007f, which does not name "
                                                "lane 7"),
                       "%s", finding->message);
}

FIXTURE_TEST(warp, reports_a_shuffle_from_a_lane_that_takes_no_part) {
    uint64_t out = fixture_unwritten(fixture, "out", 32);
    fixture_pass(fixture, "shuffle_from_inactive", 1, 32, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_SHUFFLE_INACTIVE);
    cr_expect_eq(finding->here.line, fixture_line("@inactive"));
    cr_expect_eq(finding->here.thread.x, 8, "lanes 8 to 15 ask 16 to 23");
}

FIXTURE_TEST(warp, lets_lanes_of_two_branches_meet_at_a_sync) {
    uint64_t out = fixture_unwritten(fixture, "out", 32);
    fixture_pass(fixture, "syncs_of_two_branches", 1, 32, 0, &out);
    for (int t = 0; t < 32; t++)
        cr_expect_eq(fixture_int(fixture, out, (size_t)t), t ^ 16);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(warp, votes_in_groups_of_lanes) {
    uint64_t out = fixture_unwritten(fixture, "out", 32);
    fixture_pass(fixture, "ballots", 1, 32, 0, &out);
    cr_expect_eq(fixture_int(fixture, out, 0), 0x155);
    cr_expect_eq(fixture_int(fixture, out, 31), 0x2aa);
    cr_expect_eq(fixture_total(fixture).votes, 2);
}

FIXTURE_TEST(warp, stops_at_a_trap) {
    int n = 5;
    cr_assert_eq(fixture_run(fixture, "trapped", 1, 32, 0, &n), SIMT_TRAP);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_TRAP);
    cr_expect_eq(finding->here.line, fixture_line("@trapped"));
    cr_expect_eq(finding->here.thread.x, 5);
    n = 32;
    cr_expect_eq(fixture_run(fixture, "trapped", 1, 32, 0, &n), SIMT_OK);
}

FIXTURE_TEST(warp, stops_at_a_failed_assertion) {
    struct {
        uint64_t out;
        int n;
    } params = {fixture_unwritten(fixture, "out", 64), 64};
    fixture_pass(fixture, "asserting", 1, 64, 0, &params);
    cr_expect_eq(fixture_int(fixture, params.out, 63), 1);
    params.n = 40;
    cr_assert_eq(fixture_run(fixture, "asserting", 1, 64, 0, &params), SIMT_ASSERT);
    cr_expect_eq(fixture->diag.line, fixture_line("@asserting"));
    cr_expect_eq(fixture_finding(fixture, SIMT_FINDING_TRAP)->here.thread.x, 40);
}

FIXTURE_TEST(warp, counts_the_same_each_time) {
    struct {
        uint64_t lock, sum;
    } params = {fixture_zeros(fixture, "lock", 1), fixture_zeros(fixture, "sum", 1)};
    fixture_run(fixture, "locked_add", 2, 64, 0, &params);
    struct simt_counters first = fixture_total(fixture);
    fixture_run(fixture, "locked_add", 2, 64, 0, &params);
    struct simt_counters second = fixture_total(fixture);
    cr_expect_arr_eq(&first, &second, sizeof first);
}
