/*
 * Barriers of a block: complete, partial, divergent, never complete; launches that are refused.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(barrier, .timeout = 20);

FIXTURE_TEST(barrier, in_a_branch_is_found_with_both_sides) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    fixture_pass(fixture, "barrier_in_branch", 1, 64, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_DIVERGENT_BARRIER);
    cr_expect_eq(finding->here.line, fixture_line("@barrier_in_branch"));
    cr_expect_eq(finding->here.thread.x, 0);
    cr_expect_eq(finding->other.thread.x, 1);
    cr_expect_eq(fixture_int(fixture, out, 62), 63, "the others go on when nobody else can come");
}

FIXTURE_TEST(barrier, after_an_early_return_is_found) {
    struct {
        uint64_t out;
        int n;
    } params = {fixture_zeros(fixture, "out", 128), 100};
    fixture_pass(fixture, "barrier_after_return", 1, 128, 0, &params);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_DIVERGENT_BARRIER);
    cr_expect_eq(finding->here.line, fixture_line("@barrier_after_return"));
    cr_expect_eq(finding->other.thread.x, 100);
    cr_expect_str_eq(finding->other.what, "leaves the kernel");
    cr_expect_eq(fixture_int(fixture, params.out, 99), 2);
    params.n = 128;
    fixture_run(fixture, "barrier_after_return", 1, 128, 0, &params);
    cr_expect_eq(fixture->report.n_findings, 0, "all threads come");
}

FIXTURE_TEST(barrier, of_two_lines_is_found) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    fixture_pass(fixture, "barriers_of_two_branches", 1, 64, 0, &out);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_DIVERGENT_BARRIER);
    cr_expect_eq(finding->here.line, fixture_line("@then"));
    cr_expect_eq(finding->other.line, fixture_line("@else"));
}

FIXTURE_TEST(barrier, that_too_few_threads_reach_is_a_deadlock) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    cr_assert_eq(fixture_run(fixture, "barrier_for_two_warps", 1, 32, 0, &out), SIMT_DEADLOCK);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_DEADLOCK);
    cr_expect_eq(finding->here.line, fixture_line("@barrier_for_two_warps"));
    cr_expect_eq(fixture_run(fixture, "barrier_for_two_warps", 1, 64, 0, &out), SIMT_OK);
}

static enum simt_status run_with(struct fixture *fixture, const char *kernel, unsigned n_threads,
                                 int number) {
    fixture_open(fixture);
    struct {
        uint64_t out;
        int number;
    } params = {fixture_zeros(fixture, "out", 128), number};
    return fixture_run(fixture, kernel, 1, n_threads, 0, &params);
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
        struct fixture fixture;
        cr_expect_eq(run_with(&fixture, "barrier_after_leaving", runs[i].n_threads, runs[i].early),
                     runs[i].status, "%u threads, of which %d leave: %s", runs[i].n_threads,
                     runs[i].early, fixture.diag.message);
        fixture_close(&fixture);
    }
}

Test(barrier, counts_a_warp_that_arrives_and_leaves_once) {
    struct fixture fixture;
    cr_expect_eq(run_with(&fixture, "arrive_and_leave", 64, 1), SIMT_DEADLOCK);
    fixture_close(&fixture);
    cr_expect_eq(run_with(&fixture, "arrive_and_leave", 96, 1), SIMT_OK, "%s",
                 fixture.diag.message);
    fixture_close(&fixture);
    cr_expect_eq(run_with(&fixture, "arrive_and_leave", 70, 1), SIMT_OK, "%s",
                 fixture.diag.message);
    fixture_close(&fixture);
}

/* An H200 takes the last four bits of the number, and goes on. */
Test(barrier, beyond_the_last_is_found) {
    for (int id = 0; id < 64; id++) {
        struct fixture fixture;
        cr_expect_eq(run_with(&fixture, "barrier_of_any_number", 64, id), SIMT_OK, "%d: %s", id,
                     fixture.diag.message);
        const struct simt_finding *finding = fixture_finding(&fixture, SIMT_FINDING_INVALID_SYNC);
        cr_expect_eq(finding != NULL, id >= 16, "%d", id);
        if (finding) {
            cr_expect_eq(finding->here.line, fixture_line("@barrier_of_any_number"));
            char number[24];
            snprintf(number, sizeof number, "barrier %d ", id);
            cr_expect_not_null(strstr(finding->message, number), "%s", finding->message);
        }
        fixture_close(&fixture);
    }
}

/* So does an H200. */
Test(barrier, for_a_part_of_a_warp_is_an_illegal_instruction) {
    struct fixture fixture;
    cr_expect_eq(run_with(&fixture, "barrier_for_any_count", 64, 64), SIMT_OK);
    fixture_close(&fixture);
    cr_expect_eq(run_with(&fixture, "barrier_for_any_count", 48, 48), SIMT_ILLEGAL_INSTRUCTION);
    cr_expect_eq(fixture.diag.line, fixture_line("@barrier_for_any_count"));
    fixture_close(&fixture);
    cr_expect_eq(run_with(&fixture, "barrier_for_any_count", 64, 40), SIMT_ILLEGAL_INSTRUCTION);
    fixture_close(&fixture);
}

FIXTURE_TEST(barrier, lets_a_warp_arrive_without_waiting) {
    uint64_t out = fixture_zeros(fixture, "out", 32);
    fixture_pass(fixture, "producer", 1, 64, 0, &out);
    cr_expect_eq(fixture_int(fixture, out, 31), 93);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(barrier, votes_over_the_block) {
    uint64_t out = fixture_zeros(fixture, "out", 3 * 70);
    fixture_pass(fixture, "barrier_votes", 1, 70, 0, &out);
    for (size_t t = 0; t < 70; t += 23) {
        cr_expect_eq(fixture_int(fixture, out, 3 * t), 24);
        cr_expect_eq(fixture_int(fixture, out, 3 * t + 1), 1);
        cr_expect_eq(fixture_int(fixture, out, 3 * t + 2), 1);
    }
    cr_expect_eq(fixture_total(fixture).barriers, 3 * 3);
}

FIXTURE_TEST(launch, refuses_what_the_device_can_not_run) {
    uint64_t out = fixture_zeros(fixture, "out", 32);
    cr_expect_eq(fixture_run(fixture, "variables", 1, 1025, 0, &out), SIMT_BAD_CONFIG);
    cr_expect_not_null(strstr(fixture->diag.message, "1025"));
    cr_expect_eq(fixture_run(fixture, "variables", 0, 32, 0, &out), SIMT_BAD_CONFIG);
    cr_expect_eq(fixture_run(fixture, "variables", 1, 0, 0, &out), SIMT_BAD_CONFIG);
    cr_expect_eq(fixture_run(fixture, "variables", 1, 32, 49153, &out), SIMT_BAD_CONFIG);
    cr_expect_eq(fixture->report.n_launches, 0);
    cr_expect_eq(fixture_run(fixture, "variables", 1, 32, 49152, &out), SIMT_OK);
}

FIXTURE_TEST(launch, names_an_instruction_that_it_does_not_know) {
    cr_assert_eq(fixture_run(fixture, "multiplying_matrices", 1, 32, 0, NULL), SIMT_UNSUPPORTED);
    cr_expect_not_null(strstr(fixture->diag.message, "mma.sync"), "%s", fixture->diag.message);
}
