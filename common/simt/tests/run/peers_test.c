/*
 * The simulator against figures from outside: five programs that GPGPU-Sim gets wrong, the thread
 * instructions of two sums as counted by hand from the PTX that nvcc makes of them, and the ratio
 * of two published kernels.
 */
#include <criterion/criterion.h>

#include "common/simt/tests/run/fixture.h"

enum { THREADS = 512, LARGEST = 1 << 24 };

TestSuite(peers, .timeout = 60);

static void expect_clean(const struct fixture *fixture) {
    fixture_expect_quiet(fixture);
}

/* In GPGPU-Sim it hangs: the lane with the lock never gets to run. */
FIXTURE_TEST(peers, a_spin_lock_within_a_warp_is_passed_on) {
    uint64_t params[2] = {fixture_zeros(fixture, "lock", 1), fixture_zeros(fixture, "sum", 1)};
    fixture_pass(fixture, "lock_within_a_warp", 1, 32, 0, params);
    cr_expect_eq(fixture_int(fixture, params[1], 0), 496);
    expect_clean(fixture);
}

/* In GPGPU-Sim it hangs: the last block does not start. */
FIXTURE_TEST(peers, a_block_may_wait_for_a_later_one) {
    uint64_t params[3] = {fixture_zeros(fixture, "flag", 1), fixture_zeros(fixture, "data", 1),
                          fixture_zeros(fixture, "out", 1)};
    fixture_pass(fixture, "wait_between_blocks", 20, 32, 0, params);
    cr_expect_eq(fixture_int(fixture, params[2], 0), 496);
    expect_clean(fixture);
}

/* In GPGPU-Sim the sum is 0. */
FIXTURE_TEST(peers, shuffles_sum_a_warp_to_496) {
    uint64_t params[1] = {fixture_zeros(fixture, "out", 1)};
    fixture_pass(fixture, "sum_by_shuffles", 1, 32, 0, params);
    cr_expect_eq(fixture_int(fixture, params[0], 0), 496);
    expect_clean(fixture);
}

/* GPGPU-Sim says nothing. */
FIXTURE_TEST(peers, a_barrier_that_half_a_warp_reaches_is_found) {
    uint64_t params[1] = {fixture_zeros(fixture, "out", 32)};
    fixture_run(fixture, "barrier_in_a_branch", 1, 32, 0, params);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_DIVERGENT_BARRIER);
    cr_expect_eq(finding->here.line, fixture_line("@barrier_in_a_branch"), "%s", finding->message);
}

/* GPGPU-Sim crashes. */
FIXTURE_TEST(peers, redux_gives_every_lane_the_sum) {
    uint64_t params[1] = {fixture_zeros(fixture, "out", 32)};
    fixture_pass(fixture, "sum_by_redux", 1, 32, 0, params);
    for (size_t lane = 0; lane < 32; lane++)
        cr_expect_eq(fixture_int(fixture, params[0], lane), 496);
    expect_clean(fixture);
}

/* Thread instructions of a sum of n ints by blocks of 512. */
static uint64_t instructions_of_sum(const char *kernel, size_t n) {
    struct fixture fixture;
    fixture_open(&fixture);
    simt_options(fixture.simt)->timeout_ms = 0;
    simt_options(fixture.simt)->checks = n <= 1 << 18;
    struct {
        uint64_t in, out;
        int n;
    } params = {fixture_zeros(&fixture, "in", n), fixture_zeros(&fixture, "out", n / THREADS),
                (int)n};
    fixture_pass(&fixture, kernel, (unsigned)(n / THREADS), THREADS, THREADS * 4, &params);
    const uint64_t instructions = fixture_total(&fixture).thread_instructions;
    expect_clean(&fixture);
    fixture_close(&fixture);
    return instructions;
}

/* A thread: 22 up to the loop, 8 in each of 9 turns, 3 behind it; 6 more for each of the 511
 * additions of a block, and 5 that store its sum. 97 * 512 + 6 * 511 + 5 = 103 * 512 - 1. */
Test(peers, the_divergent_sum_has_the_instructions_counted_by_hand) {
    cr_expect_eq(instructions_of_sum("sum_divergent", THREADS), 103 * THREADS - 1);
    cr_expect_eq(instructions_of_sum("sum_divergent", 1 << 18), 27000320);
    cr_expect_eq(instructions_of_sum("sum_divergent", 1 << 22), 432005120);
    cr_expect_eq(instructions_of_sum("sum_divergent", LARGEST), 1728020480);
}

/* The same with 6 in each turn, whose stride needs no remainder: 85 * 512 - 1. */
Test(peers, the_sequential_sum_has_the_instructions_counted_by_hand) {
    cr_expect_eq(instructions_of_sum("sum_sequential", THREADS), 85 * THREADS - 1);
    cr_expect_eq(instructions_of_sum("sum_sequential", 1 << 18), 22281728);
    cr_expect_eq(instructions_of_sum("sum_sequential", 1 << 22), 356507648);
}

/* Counters of the pairs of 2^20 ints in blocks of 512, in global memory; all, and at one line. */
static struct simt_counters counters_of_pairs(const char *kernel, const char *mark,
                                              struct simt_counters *at) {
    struct fixture fixture;
    fixture_open(&fixture);
    simt_options(fixture.simt)->timeout_ms = 0;
    simt_options(fixture.simt)->checks = false;
    const size_t n = 1 << 20;
    struct {
        uint64_t data, out;
        unsigned n;
    } params = {fixture_zeros(&fixture, "data", n), fixture_zeros(&fixture, "out", n / THREADS),
                (unsigned)n};
    fixture_pass(&fixture, kernel, (unsigned)(n / THREADS), THREADS, 0, &params);
    const struct simt_counters total = fixture_total(&fixture);
    *at = fixture_at(&fixture, mark);
    fixture_close(&fixture);
    return total;
}

/* Published as 2.56; Nsight Compute on an H200 says 11,237,376 / 3,813,376 = 2.95. Both count
 * machine instructions, of which the remainder takes most: PTX has one where sm_90 has 17. Of PTX
 * instructions the ratio is 1.32. */
Test(peers, neighbouring_pairs_cost_the_published_ratio_of_machine_instructions) {
    struct simt_counters remainders, none;
    const struct simt_counters neighbours = counters_of_pairs("pairs_of_neighbours", "@remainder",
                                                              &remainders),
                               packed = counters_of_pairs("pairs_packed", "@remainder", &none);
    const double n = (double)neighbours.machine_instructions,
                 by = (double)packed.machine_instructions;
    cr_assert_eq(remainders.warp_instructions, 9 * (1 << 20) / 32, "one in each of 9 turns");
    cr_expect_eq(neighbours.machine_instructions,
                 neighbours.warp_instructions + 16 * remainders.warp_instructions);
    cr_expect_eq(packed.machine_instructions, packed.warp_instructions);
    cr_expect_float_eq((double)neighbours.warp_instructions / by, 1.32, 0.005);
    cr_expect_float_eq(n / by, 2.56, 2.56 / 4, "%.4f", n / by);
    cr_expect_float_eq(n / by, 2.95, 2.95 / 4, "%.4f", n / by);
}
