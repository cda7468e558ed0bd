/*
 * Barriers of a block: complete, partial, divergent, never complete; launches that are refused.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/tests/run/rig.h"

TestSuite(barrier, .timeout = 20);

RIG_TEST(barrier, in_a_branch_is_found_with_both_sides) {
    uint64_t out = rig_zeros(rig, "out", 64);
    rig_pass(rig, "barrier_in_branch", 1, 64, 0, &out);
    const struct simt_finding *finding = rig_found(rig, SIMT_FINDING_DIVERGENT_BARRIER);
    cr_expect_eq(finding->here.line, rig_line("@barrier_in_branch"));
    cr_expect_eq(finding->here.thread.x, 0);
    cr_expect_eq(finding->other.thread.x, 1);
    cr_expect_eq(rig_int(rig, out, 62), 63, "the others go on when nobody else can come");
}

RIG_TEST(barrier, after_an_early_return_is_found) {
    struct {
        uint64_t out;
        int n;
    } params = {rig_zeros(rig, "out", 128), 100};
    rig_pass(rig, "barrier_after_return", 1, 128, 0, &params);
    const struct simt_finding *finding = rig_found(rig, SIMT_FINDING_DIVERGENT_BARRIER);
    cr_expect_eq(finding->here.line, rig_line("@barrier_after_return"));
    cr_expect_eq(finding->other.thread.x, 100);
    cr_expect_str_eq(finding->other.what, "leaves the kernel");
    cr_expect_eq(rig_int(rig, params.out, 99), 2);
    params.n = 128;
    rig_run(rig, "barrier_after_return", 1, 128, 0, &params);
    cr_expect_eq(rig->report.n_findings, 0, "all threads come");
}

RIG_TEST(barrier, of_two_lines_is_found) {
    uint64_t out = rig_zeros(rig, "out", 64);
    rig_pass(rig, "barriers_of_two_branches", 1, 64, 0, &out);
    const struct simt_finding *finding = rig_found(rig, SIMT_FINDING_DIVERGENT_BARRIER);
    cr_expect_eq(finding->here.line, rig_line("@then"));
    cr_expect_eq(finding->other.line, rig_line("@else"));
}

RIG_TEST(barrier, that_too_few_threads_reach_is_a_deadlock) {
    uint64_t out = rig_zeros(rig, "out", 64);
    cr_assert_eq(rig_run(rig, "barrier_for_two_warps", 1, 32, 0, &out), SIMT_DEADLOCK);
    const struct simt_finding *finding = rig_found(rig, SIMT_FINDING_DEADLOCK);
    cr_expect_eq(finding->here.line, rig_line("@barrier_for_two_warps"));
    cr_expect_eq(rig_run(rig, "barrier_for_two_warps", 1, 64, 0, &out), SIMT_OK);
}

static enum simt_status run_with(struct rig *rig, const char *kernel, unsigned n_threads,
                                 int number) {
    rig_open(rig);
    struct {
        uint64_t out;
        int number;
    } params = {rig_zeros(rig, "out", 128), number};
    return rig_run(rig, kernel, 1, n_threads, 0, &params);
}

/* A warp counts as 32 threads, of which some may never have been there, or have left: an H200 does
 * the same. */
Test(barrier, counts_a_part_of_a_warp_as_a_whole_one) {
    static const struct {
        unsigned n_threads;
        int early;
        enum simt_status status;
    } runs[] = {{48, 0, SIMT_OK},  {33, 0, SIMT_OK},       {64, 20, SIMT_OK},
                {48, 20, SIMT_OK}, {32, 0, SIMT_DEADLOCK}, {48, 32, SIMT_DEADLOCK},
                {96, 32, SIMT_OK}, {65, 32, SIMT_OK},      {31, 20, SIMT_DEADLOCK}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct rig rig;
        cr_expect_eq(run_with(&rig, "barrier_after_leaving", runs[i].n_threads, runs[i].early),
                     runs[i].status, "%u threads, of which %d leave: %s", runs[i].n_threads,
                     runs[i].early, rig.diag.message);
        rig_close(&rig);
    }
}

Test(barrier, counts_a_warp_that_arrives_and_leaves_once) {
    struct rig rig;
    cr_expect_eq(run_with(&rig, "arrive_and_leave", 64, 1), SIMT_DEADLOCK);
    rig_close(&rig);
    cr_expect_eq(run_with(&rig, "arrive_and_leave", 96, 1), SIMT_OK, "%s", rig.diag.message);
    rig_close(&rig);
    cr_expect_eq(run_with(&rig, "arrive_and_leave", 70, 1), SIMT_OK, "%s", rig.diag.message);
    rig_close(&rig);
}

/* An H200 takes the last four bits of the number, and goes on. */
Test(barrier, beyond_the_last_is_found) {
    for (int id = 0; id < 64; id++) {
        struct rig rig;
        cr_expect_eq(run_with(&rig, "barrier_of_any_number", 64, id), SIMT_OK, "%d: %s", id,
                     rig.diag.message);
        const struct simt_finding *finding = rig_finding(&rig, SIMT_FINDING_INVALID_SYNC);
        cr_expect_eq(finding != NULL, id >= 16, "%d", id);
        if (finding) {
            cr_expect_eq(finding->here.line, rig_line("@barrier_of_any_number"));
            char number[24];
            snprintf(number, sizeof number, "barrier %d ", id);
            cr_expect_not_null(strstr(finding->message, number), "%s", finding->message);
        }
        rig_close(&rig);
    }
}

/* So does an H200. */
Test(barrier, for_a_part_of_a_warp_is_an_illegal_instruction) {
    struct rig rig;
    cr_expect_eq(run_with(&rig, "barrier_for_any_count", 64, 64), SIMT_OK);
    rig_close(&rig);
    cr_expect_eq(run_with(&rig, "barrier_for_any_count", 48, 48), SIMT_ILLEGAL_INSTRUCTION);
    cr_expect_eq(rig.diag.line, rig_line("@barrier_for_any_count"));
    rig_close(&rig);
    cr_expect_eq(run_with(&rig, "barrier_for_any_count", 64, 40), SIMT_ILLEGAL_INSTRUCTION);
    rig_close(&rig);
}

RIG_TEST(barrier, lets_a_warp_arrive_without_waiting) {
    uint64_t out = rig_zeros(rig, "out", 32);
    rig_pass(rig, "producer", 1, 64, 0, &out);
    cr_expect_eq(rig_int(rig, out, 31), 93);
    rig_expect_quiet(rig);
}

RIG_TEST(barrier, votes_over_the_block) {
    uint64_t out = rig_zeros(rig, "out", 3 * 70);
    rig_pass(rig, "barrier_votes", 1, 70, 0, &out);
    for (size_t t = 0; t < 70; t += 23) {
        cr_expect_eq(rig_int(rig, out, 3 * t), 24);
        cr_expect_eq(rig_int(rig, out, 3 * t + 1), 1);
        cr_expect_eq(rig_int(rig, out, 3 * t + 2), 1);
    }
    cr_expect_eq(rig_total(rig).barriers, 3 * 3);
}

RIG_TEST(launch, refuses_what_the_device_can_not_run) {
    uint64_t out = rig_zeros(rig, "out", 32);
    cr_expect_eq(rig_run(rig, "variables", 1, 1025, 0, &out), SIMT_BAD_CONFIG);
    cr_expect_not_null(strstr(rig->diag.message, "1025"));
    cr_expect_eq(rig_run(rig, "variables", 0, 32, 0, &out), SIMT_BAD_CONFIG);
    cr_expect_eq(rig_run(rig, "variables", 1, 0, 0, &out), SIMT_BAD_CONFIG);
    cr_expect_eq(rig_run(rig, "variables", 1, 32, 49153, &out), SIMT_BAD_CONFIG);
    cr_expect_eq(rig->report.n_launches, 0);
    cr_expect_eq(rig_run(rig, "variables", 1, 32, 49152, &out), SIMT_OK);
}

RIG_TEST(launch, names_an_instruction_that_it_does_not_know) {
    cr_assert_eq(rig_run(rig, "multiplying_matrices", 1, 32, 0, NULL), SIMT_UNSUPPORTED);
    cr_expect_not_null(strstr(rig->diag.message, "mma.sync"), "%s", rig->diag.message);
}
