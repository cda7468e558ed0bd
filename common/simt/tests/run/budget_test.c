/*
 * Launches that take more warp instructions than they may: where they stop, and what is said. That
 * it is the same for any number of host threads is in threads_test.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(budget, .timeout = 20);

enum { N_BLOCKS = 40, N_THREADS = 64, N = N_BLOCKS * N_THREADS };

/* Of all kernels here. */
struct params {
    uint64_t out;
    int number;
};

/* No clock ends what the budget does not. */
static struct params open_with(struct fixture *fixture, uint64_t budget, int number) {
    fixture_open(fixture);
    simt_options(fixture->simt)->timeout_ms = 0;
    simt_options(fixture->simt)->budget = budget;
    return (struct params){fixture_zeros(fixture, "out", N), number};
}

Test(budget, names_the_block_that_never_ends) {
    struct fixture fixture;
    struct params params = open_with(&fixture, 1 << 20, 23);
    cr_assert_eq(fixture_run(&fixture, "one_block_is_endless", N_BLOCKS, N_THREADS, 0, &params),
                 SIMT_TIMEOUT);
    const struct simt_finding *finding = fixture_found(&fixture, SIMT_FINDING_ENDLESS);
    cr_expect_eq(finding->here.cta.x, 23, "%s", finding->message);
    cr_expect_eq(finding->here.line, fixture_line("@one_block_is_endless"));
    cr_expect_eq(fixture.diag.line, fixture_line("@one_block_is_endless"));
    cr_expect_not_null(strstr(finding->message, "Thread 0 of block 23 goes round the loop"), "%s",
                       finding->message);
    cr_expect_eq(fixture_int(&fixture, params.out, 24 * N_THREADS), 0,
                 "later blocks did not start");
    params.number = N_BLOCKS;
    cr_expect_eq(fixture_run(&fixture, "one_block_is_endless", N_BLOCKS, N_THREADS, 0, &params),
                 SIMT_OK, "the device goes on");
    fixture_close(&fixture);
}

Test(budget, says_how_much_was_executed) {
    struct fixture fixture;
    struct params params = open_with(&fixture, 1 << 20, 0);
    cr_assert_eq(fixture_run(&fixture, "endless", 1, 32, 0, &params), SIMT_TIMEOUT);
    uint64_t n = fixture_total(&fixture).warp_instructions;
    char words[64];
    snprintf(words, sizeof words, "within %d,%03d,%03d warp instructions", (int)(n / 1000000),
             (int)(n / 1000 % 1000), (int)(n % 1000));
    cr_expect_not_null(strstr(fixture.diag.message, words), "%s", fixture.diag.message);
    cr_expect_gt(n, 1 << 20);
    cr_expect_lt(n, (1 << 20) + (1 << 16));
    fixture_close(&fixture);
}

Test(budget, is_that_of_all_blocks_together) {
    struct fixture fixture;
    struct params params = open_with(&fixture, 0, 500);
    fixture_pass(&fixture, "go_round", N_BLOCKS, N_THREADS, 0, &params);
    uint64_t n = fixture_total(&fixture).warp_instructions;
    simt_options(fixture.simt)->budget = n;
    cr_expect_eq(fixture_run(&fixture, "go_round", N_BLOCKS, N_THREADS, 0, &params), SIMT_OK, "%s",
                 fixture.diag.message);
    simt_options(fixture.simt)->budget = n / 2;
    cr_assert_eq(fixture_run(&fixture, "go_round", N_BLOCKS, N_THREADS, 0, &params), SIMT_TIMEOUT);
    const struct simt_finding *finding = fixture_found(&fixture, SIMT_FINDING_COSTLY);
    cr_expect_geq(finding->here.cta.x, N_BLOCKS / 2 - 1, "%s", finding->message);
    cr_expect_leq(finding->here.cta.x, N_BLOCKS / 2 + 4, "%s", finding->message);
    fixture_close(&fixture);
}

/* What may be right, and is only slow, is not called endless. */
Test(budget, says_of_a_kernel_that_others_ended_in_time_that_it_works_too_much) {
    struct fixture fixture;
    struct params params = open_with(&fixture, 1 << 20, 8000);
    cr_assert_eq(fixture_run(&fixture, "go_round", N_BLOCKS * 10, N_THREADS, 0, &params),
                 SIMT_TIMEOUT);
    const struct simt_finding *finding = fixture_found(&fixture, SIMT_FINDING_COSTLY);
    char words[64];
    snprintf(words, sizeof words, "when %d of its 400 blocks had ended", (int)finding->here.cta.x);
    cr_expect_not_null(strstr(finding->message, words), "%s", finding->message);
    cr_expect_eq(finding->here.line, fixture_line("@go_round"));
    cr_expect_null(fixture_finding(&fixture, SIMT_FINDING_ENDLESS));
    fixture_close(&fixture);
}

/* Of one block, or where most went to one that still runs, nobody knows. */
Test(budget, calls_a_first_block_that_takes_it_all_endless) {
    struct fixture fixture;
    struct params params = open_with(&fixture, 1 << 17, 1 << 20);
    cr_assert_eq(fixture_run(&fixture, "go_round", 1, N_THREADS, 0, &params), SIMT_TIMEOUT);
    cr_expect_not_null(fixture_finding(&fixture, SIMT_FINDING_ENDLESS));
    fixture_close(&fixture);
}

Test(budget, ends_a_grid_of_too_many_blocks) {
    struct fixture fixture;
    struct params params = open_with(&fixture, 1 << 20, 1);
    simt_options(fixture.simt)->checks = false; /* all blocks write the same */
    cr_assert_eq(fixture_run(&fixture, "endless", INT32_MAX, 32, 0, &params), SIMT_TIMEOUT);
    cr_expect_not_null(strstr(fixture.diag.message, "of 2147483647"), "%s", fixture.diag.message);
    fixture_close(&fixture);
}

Test(budget, is_spent_at_the_same_place_in_a_drawn_order) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        char *reports[2];
        for (int i = 0; i < 2; i++) {
            struct fixture fixture;
            struct params params = open_with(&fixture, 1 << 17, 5);
            simt_options(fixture.simt)->seed = seed;
            cr_assert_eq(
                fixture_run(&fixture, "one_block_is_endless", N_BLOCKS, N_THREADS, 0, &params),
                SIMT_TIMEOUT);
            reports[i] = simt_report_json(fixture.simt);
            fixture_close(&fixture);
        }
        cr_expect_str_eq(reports[0], reports[1]);
        free(reports[0]);
        free(reports[1]);
    }
}

FIXTURE_TEST(budget, leaves_a_wait_without_end_a_deadlock) {
    simt_options(fixture->simt)->budget = 1 << 22;
    uint64_t params[2] = {fixture_zeros(fixture, "flag", 1), fixture_zeros(fixture, "out", 32)};
    cr_expect_eq(fixture_run(fixture, "wait_for_nobody", N_BLOCKS, 32, 0, params), SIMT_DEADLOCK);
}

/* What all threads do wrong in each turn takes the host a hundred times as long as the turn. */
FIXTURE_TEST(budget, is_spent_on_findings_too) {
    simt_options(fixture->simt)->timeout_ms = 0;
    simt_options(fixture->simt)->budget = 1 << 18;
    struct params params = {fixture_unwritten(fixture, "out", N), 0};
    cr_assert_eq(fixture_run(fixture, "endless_and_wrong", 1, 32, 0, &params), SIMT_TIMEOUT);
    cr_expect_not_null(fixture_finding(fixture, SIMT_FINDING_ENDLESS));
    cr_expect_lt(fixture_total(fixture).warp_instructions, 1 << 16);
}

/* Lanes that all add to one word take the host as long as twenty other instructions. */
FIXTURE_TEST(budget, is_spent_on_atomics_too) {
    simt_options(fixture->simt)->timeout_ms = 0;
    uint64_t sum = fixture_zeros(fixture, "sum", 1);
    fixture_pass(fixture, "blocks_add", 4000, 32, 0, &sum);
    simt_options(fixture->simt)->budget = 2 * fixture_total(fixture).warp_instructions;
    cr_expect_eq(fixture_run(fixture, "blocks_add", 4000, 32, 0, &sum), SIMT_TIMEOUT);
}
