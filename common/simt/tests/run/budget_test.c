/*
 * Launches that take more warp instructions than they may: where they stop, and what is said. That
 * it is the same for any number of host threads is in threads_test.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/run/rig.h"

TestSuite(budget, .timeout = 20);

enum { N_BLOCKS = 40, N_THREADS = 64, N = N_BLOCKS * N_THREADS };

/* Of all kernels here. */
struct params {
    uint64_t out;
    int number;
};

/* No clock ends what the budget does not. */
static struct params open_with(struct rig *rig, uint64_t budget, int number) {
    rig_open(rig);
    simt_options(rig->simt)->timeout_ms = 0;
    simt_options(rig->simt)->budget = budget;
    return (struct params){rig_zeros(rig, "out", N), number};
}

Test(budget, names_the_block_that_never_ends) {
    struct rig rig;
    struct params params = open_with(&rig, 1 << 20, 23);
    cr_assert_eq(rig_run(&rig, "one_block_is_endless", N_BLOCKS, N_THREADS, 0, &params),
                 SIMT_TIMEOUT);
    const struct simt_finding *finding = rig_found(&rig, SIMT_FINDING_ENDLESS);
    cr_expect_eq(finding->here.cta.x, 23, "%s", finding->message);
    cr_expect_eq(finding->here.line, rig_line("@one_block_is_endless"));
    cr_expect_eq(rig.diag.line, rig_line("@one_block_is_endless"));
    cr_expect_not_null(strstr(finding->message, "Thread 0 of block 23 goes round the loop"), "%s",
                       finding->message);
    cr_expect_eq(rig_int(&rig, params.out, 24 * N_THREADS), 0, "later blocks did not start");
    params.number = N_BLOCKS;
    cr_expect_eq(rig_run(&rig, "one_block_is_endless", N_BLOCKS, N_THREADS, 0, &params), SIMT_OK,
                 "the device goes on");
    rig_close(&rig);
}

Test(budget, says_how_much_was_executed) {
    struct rig rig;
    struct params params = open_with(&rig, 1 << 20, 0);
    cr_assert_eq(rig_run(&rig, "endless", 1, 32, 0, &params), SIMT_TIMEOUT);
    uint64_t n = rig_total(&rig).warp_instructions;
    char words[64];
    snprintf(words, sizeof words, "within %d,%03d,%03d warp instructions", (int)(n / 1000000),
             (int)(n / 1000 % 1000), (int)(n % 1000));
    cr_expect_not_null(strstr(rig.diag.message, words), "%s", rig.diag.message);
    cr_expect_gt(n, 1 << 20);
    cr_expect_lt(n, (1 << 20) + (1 << 16));
    rig_close(&rig);
}

Test(budget, is_that_of_all_blocks_together) {
    struct rig rig;
    struct params params = open_with(&rig, 0, 500);
    rig_pass(&rig, "go_round", N_BLOCKS, N_THREADS, 0, &params);
    uint64_t n = rig_total(&rig).warp_instructions;
    simt_options(rig.simt)->budget = n;
    cr_expect_eq(rig_run(&rig, "go_round", N_BLOCKS, N_THREADS, 0, &params), SIMT_OK, "%s",
                 rig.diag.message);
    simt_options(rig.simt)->budget = n / 2;
    cr_assert_eq(rig_run(&rig, "go_round", N_BLOCKS, N_THREADS, 0, &params), SIMT_TIMEOUT);
    const struct simt_finding *finding = rig_found(&rig, SIMT_FINDING_COSTLY);
    cr_expect_geq(finding->here.cta.x, N_BLOCKS / 2 - 1, "%s", finding->message);
    cr_expect_leq(finding->here.cta.x, N_BLOCKS / 2 + 4, "%s", finding->message);
    rig_close(&rig);
}

/* What may be right, and is only slow, is not called endless. */
Test(budget, says_of_a_kernel_that_others_ended_in_time_that_it_works_too_much) {
    struct rig rig;
    struct params params = open_with(&rig, 1 << 20, 8000);
    cr_assert_eq(rig_run(&rig, "go_round", N_BLOCKS * 10, N_THREADS, 0, &params), SIMT_TIMEOUT);
    const struct simt_finding *finding = rig_found(&rig, SIMT_FINDING_COSTLY);
    char words[64];
    snprintf(words, sizeof words, "when %d of its 400 blocks had ended", (int)finding->here.cta.x);
    cr_expect_not_null(strstr(finding->message, words), "%s", finding->message);
    cr_expect_eq(finding->here.line, rig_line("@go_round"));
    cr_expect_null(rig_finding(&rig, SIMT_FINDING_ENDLESS));
    rig_close(&rig);
}

/* Of one block, or where most went to one that still runs, nobody knows. */
Test(budget, calls_a_first_block_that_takes_it_all_endless) {
    struct rig rig;
    struct params params = open_with(&rig, 1 << 17, 1 << 20);
    cr_assert_eq(rig_run(&rig, "go_round", 1, N_THREADS, 0, &params), SIMT_TIMEOUT);
    cr_expect_not_null(rig_finding(&rig, SIMT_FINDING_ENDLESS));
    rig_close(&rig);
}

Test(budget, ends_a_grid_of_too_many_blocks) {
    struct rig rig;
    struct params params = open_with(&rig, 1 << 20, 1);
    simt_options(rig.simt)->checks = false; /* all blocks write the same */
    cr_assert_eq(rig_run(&rig, "endless", INT32_MAX, 32, 0, &params), SIMT_TIMEOUT);
    cr_expect_not_null(strstr(rig.diag.message, "of 2147483647"), "%s", rig.diag.message);
    rig_close(&rig);
}

Test(budget, is_spent_at_the_same_place_in_a_drawn_order) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        char *reports[2];
        for (int i = 0; i < 2; i++) {
            struct rig rig;
            struct params params = open_with(&rig, 1 << 17, 5);
            simt_options(rig.simt)->seed = seed;
            cr_assert_eq(rig_run(&rig, "one_block_is_endless", N_BLOCKS, N_THREADS, 0, &params),
                         SIMT_TIMEOUT);
            reports[i] = simt_report_json(rig.simt);
            rig_close(&rig);
        }
        cr_expect_str_eq(reports[0], reports[1]);
        free(reports[0]);
        free(reports[1]);
    }
}

RIG_TEST(budget, leaves_a_wait_without_end_a_deadlock) {
    simt_options(rig->simt)->budget = 1 << 22;
    uint64_t params[2] = {rig_zeros(rig, "flag", 1), rig_zeros(rig, "out", 32)};
    cr_expect_eq(rig_run(rig, "wait_for_nobody", N_BLOCKS, 32, 0, params), SIMT_DEADLOCK);
}

/* What all threads do wrong in each turn takes the host a hundred times as long as the turn. */
RIG_TEST(budget, is_spent_on_findings_too) {
    simt_options(rig->simt)->timeout_ms = 0;
    simt_options(rig->simt)->budget = 1 << 18;
    struct params params = {rig_unwritten(rig, "out", N), 0};
    cr_assert_eq(rig_run(rig, "endless_and_wrong", 1, 32, 0, &params), SIMT_TIMEOUT);
    cr_expect_not_null(rig_finding(rig, SIMT_FINDING_ENDLESS));
    cr_expect_lt(rig_total(rig).warp_instructions, 1 << 16);
}

/* Lanes that all add to one word take the host as long as twenty other instructions. */
RIG_TEST(budget, is_spent_on_atomics_too) {
    simt_options(rig->simt)->timeout_ms = 0;
    uint64_t sum = rig_zeros(rig, "sum", 1);
    rig_pass(rig, "blocks_add", 4000, 32, 0, &sum);
    simt_options(rig->simt)->budget = 2 * rig_total(rig).warp_instructions;
    cr_expect_eq(rig_run(rig, "blocks_add", 4000, 32, 0, &sum), SIMT_TIMEOUT);
}
