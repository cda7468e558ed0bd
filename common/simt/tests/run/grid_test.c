/*
 * Blocks that wait for each other: those that are resident make progress, endless waits are told.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(grid, .timeout = 20);

static void expect_clean(const struct fixture *fixture) {
    fixture_expect_quiet(fixture);
}

struct wait {
    uint64_t flag, out;
    int first, step;
};

static struct wait wait_for(struct fixture *fixture, unsigned n_blocks, int first, int step) {
    return (struct wait){fixture_zeros(fixture, "flag", n_blocks),
                         fixture_zeros(fixture, "out", n_blocks), first, step};
}

FIXTURE_TEST(grid, lets_a_block_wait_for_an_earlier_and_for_a_later_one) {
    struct wait earlier = wait_for(fixture, 40, 0, -1), later = wait_for(fixture, 40, 39, 1);
    fixture_pass(fixture, "wait_for_block", 40, 32, 0, &earlier);
    cr_expect_eq(fixture_int(fixture, earlier.out, 39), 39);
    expect_clean(fixture);
    fixture_pass(fixture, "wait_for_block", 40, 32, 0, &later);
    cr_expect_eq(fixture_int(fixture, later.out, 39), 39);
    expect_clean(fixture);
}

FIXTURE_TEST(grid, hands_data_to_a_block_that_started_before) {
    uint64_t params[2] = {fixture_zeros(fixture, "flag", 20), fixture_zeros(fixture, "sum", 20)};
    fixture_pass(fixture, "sum_behind", 20, 64, 0, params);
    cr_expect_eq(fixture_int(fixture, params[1], 0), 190);
    expect_clean(fixture);
}

FIXTURE_TEST(grid, lets_all_resident_blocks_meet) {
    uint64_t params[3] = {fixture_zeros(fixture, "arrived", 1),
                          fixture_zeros(fixture, "data", 32 * 128),
                          fixture_zeros(fixture, "out", 32 * 128)};
    fixture_pass(fixture, "grid_barrier", 128, 32, 0, params);
    cr_expect_eq(fixture_int(fixture, params[2], 0), 1);
    cr_expect_eq(fixture_int(fixture, params[2], 32 * 127 + 5), 5);
    expect_clean(fixture);
}

/* Runs a kernel whose blocks wait for ever, and gives the finding. */
static const struct simt_finding *expect_deadlock(struct fixture *fixture, const char *kernel,
                                                  unsigned n_blocks, const void *params,
                                                  const char *mark) {
    cr_assert_eq(fixture_run(fixture, kernel, n_blocks, 32, 0, params), SIMT_DEADLOCK, "%s",
                 fixture->diag.message);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_DEADLOCK);
    cr_expect_eq(finding->here.line, fixture_line(mark), "%s", finding->message);
    cr_expect_eq(fixture->diag.line, fixture_line(mark));
    return finding;
}

FIXTURE_TEST(grid, tells_of_a_wait_for_a_block_that_cannot_become_resident) {
    uint64_t params[3] = {fixture_zeros(fixture, "arrived", 1),
                          fixture_zeros(fixture, "data", 32 * 129),
                          fixture_zeros(fixture, "out", 32 * 129)};
    const struct simt_finding *finding =
        expect_deadlock(fixture, "grid_barrier", 129, params, "@grid_barrier");
    cr_expect_not_null(strstr(finding->message, "all 128 blocks"), "%s", finding->message);
    cr_expect_not_null(strstr(finding->message, "block number 128"), "%s", finding->message);
    cr_expect_str_eq(finding->place, "arrived[0]");
    /* Fewer fit when each takes more. */
    simt_options(fixture->simt)->sm_ctas = 2;
    simt_set(fixture->simt, params[0], 0, 4);
    finding = expect_deadlock(fixture, "grid_barrier", 17, params, "@grid_barrier");
    cr_expect_not_null(strstr(finding->message, "all 16 blocks"), "%s", finding->message);
}

FIXTURE_TEST(grid, tells_of_a_wait_that_nobody_ends) {
    uint64_t params[2] = {fixture_zeros(fixture, "flag", 1), fixture_zeros(fixture, "out", 32)};
    const struct simt_finding *finding =
        expect_deadlock(fixture, "wait_for_nobody", 3, params, "@wait_for_nobody");
    cr_expect_not_null(strstr(finding->message, "nobody changes it"), "%s", finding->message);
    cr_expect_str_eq(finding->place, "flag[0]");
}

FIXTURE_TEST(grid, does_not_take_a_wait_with_an_end_for_a_deadlock) {
    uint64_t params[2] = {fixture_zeros(fixture, "flag", 1), fixture_zeros(fixture, "out", 32)};
    fixture_pass(fixture, "wait_for_a_while", 3, 32, 0, params);
    cr_expect_eq(fixture_int(fixture, params[1], 7), 5000);
}
