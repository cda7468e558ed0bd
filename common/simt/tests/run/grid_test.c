/*
 * Blocks that wait for each other: those that are resident make progress, endless waits are told.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/tests/run/rig.h"

TestSuite(grid, .timeout = 20);

static void expect_clean(const struct rig *rig) {
    rig_expect_quiet(rig);
}

struct wait {
    uint64_t flag, out;
    int first, step;
};

static struct wait wait_for(struct rig *rig, unsigned n_blocks, int first, int step) {
    return (struct wait){rig_zeros(rig, "flag", n_blocks), rig_zeros(rig, "out", n_blocks), first,
                         step};
}

RIG_TEST(grid, lets_a_block_wait_for_an_earlier_and_for_a_later_one) {
    struct wait earlier = wait_for(rig, 40, 0, -1), later = wait_for(rig, 40, 39, 1);
    rig_pass(rig, "wait_for_block", 40, 32, 0, &earlier);
    cr_expect_eq(rig_int(rig, earlier.out, 39), 39);
    expect_clean(rig);
    rig_pass(rig, "wait_for_block", 40, 32, 0, &later);
    cr_expect_eq(rig_int(rig, later.out, 39), 39);
    expect_clean(rig);
}

RIG_TEST(grid, hands_data_to_a_block_that_started_before) {
    uint64_t params[2] = {rig_zeros(rig, "flag", 20), rig_zeros(rig, "sum", 20)};
    rig_pass(rig, "sum_behind", 20, 64, 0, params);
    cr_expect_eq(rig_int(rig, params[1], 0), 190);
    expect_clean(rig);
}

RIG_TEST(grid, lets_all_resident_blocks_meet) {
    uint64_t params[3] = {rig_zeros(rig, "arrived", 1), rig_zeros(rig, "data", 32 * 128),
                          rig_zeros(rig, "out", 32 * 128)};
    rig_pass(rig, "grid_barrier", 128, 32, 0, params);
    cr_expect_eq(rig_int(rig, params[2], 0), 1);
    cr_expect_eq(rig_int(rig, params[2], 32 * 127 + 5), 5);
    expect_clean(rig);
}

/* Runs a kernel whose blocks wait for ever, and gives the finding. */
static const struct simt_finding *expect_deadlock(struct rig *rig, const char *kernel,
                                                  unsigned n_blocks, const void *params,
                                                  const char *mark) {
    cr_assert_eq(rig_run(rig, kernel, n_blocks, 32, 0, params), SIMT_DEADLOCK, "%s",
                 rig->diag.message);
    const struct simt_finding *finding = rig_found(rig, SIMT_FINDING_DEADLOCK);
    cr_expect_eq(finding->here.line, rig_line(mark), "%s", finding->message);
    cr_expect_eq(rig->diag.line, rig_line(mark));
    return finding;
}

RIG_TEST(grid, tells_of_a_wait_for_a_block_that_cannot_become_resident) {
    uint64_t params[3] = {rig_zeros(rig, "arrived", 1), rig_zeros(rig, "data", 32 * 129),
                          rig_zeros(rig, "out", 32 * 129)};
    const struct simt_finding *finding =
        expect_deadlock(rig, "grid_barrier", 129, params, "@grid_barrier");
    cr_expect_not_null(strstr(finding->message, "all 128 blocks"), "%s", finding->message);
    cr_expect_not_null(strstr(finding->message, "block number 128"), "%s", finding->message);
    cr_expect_str_eq(finding->place, "arrived[0]");
    /* Fewer fit when each takes more. */
    simt_options(rig->simt)->sm_ctas = 2;
    simt_set(rig->simt, params[0], 0, 4);
    finding = expect_deadlock(rig, "grid_barrier", 17, params, "@grid_barrier");
    cr_expect_not_null(strstr(finding->message, "all 16 blocks"), "%s", finding->message);
}

RIG_TEST(grid, tells_of_a_wait_that_nobody_ends) {
    uint64_t params[2] = {rig_zeros(rig, "flag", 1), rig_zeros(rig, "out", 32)};
    const struct simt_finding *finding =
        expect_deadlock(rig, "wait_for_nobody", 3, params, "@wait_for_nobody");
    cr_expect_not_null(strstr(finding->message, "nobody changes it"), "%s", finding->message);
    cr_expect_str_eq(finding->place, "flag[0]");
}

RIG_TEST(grid, does_not_take_a_wait_with_an_end_for_a_deadlock) {
    uint64_t params[2] = {rig_zeros(rig, "flag", 1), rig_zeros(rig, "out", 32)};
    rig_pass(rig, "wait_for_a_while", 3, 32, 0, params);
    cr_expect_eq(rig_int(rig, params[1], 7), 5000);
}
