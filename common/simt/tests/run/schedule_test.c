/*
 * Drawn orders: right kernels give the same result in all of them, lucky ones don't, a seed gives
 * the same again.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(schedule, .timeout = 60);

enum { N_SEEDS = 20, N_BLOCKS = 12, N_THREADS = 96, N = N_BLOCKS * N_THREADS };

/* Runs a kernel of two buffers, or of one, in a drawn order; the sum of what it wrote, weighted. */
static uint64_t result_of(const char *kernel, uint64_t seed, char **report) {
    struct fixture fixture;
    fixture_open(&fixture);
    simt_options(fixture.simt)->seed = seed;
    uint64_t params[2] = {fixture_ramp(&fixture, "a", N), fixture_zeros(&fixture, "b", N)};
    bool is_short = simt_kernel_n_params(simt_kernel_find(fixture.module, kernel)) == 1;
    enum simt_status status =
        fixture_run(&fixture, kernel, N_BLOCKS, N_THREADS, 0, is_short ? params + 1 : params);
    cr_assert_eq(status, SIMT_OK, "%s, seed %d: %s", kernel, (int)seed, fixture.diag.message);
    uint64_t sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += (i + 1) * (uint64_t)(uint32_t)fixture_int(&fixture, params[1], i);
    if (report)
        *report = simt_report_json(fixture.simt);
    fixture_close(&fixture);
    return sum;
}

Test(schedule, does_not_change_what_right_kernels_do) {
    static const char *const kernels[] = {"copy_all", "histogram", "blocks_add",
                                          "wander",   "same_flag", "tree_sum"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        uint64_t usual = result_of(kernels[i], 0, NULL);
        for (uint64_t seed = 1; seed <= N_SEEDS; seed++)
            cr_expect_eq(result_of(kernels[i], seed, NULL), usual, "%s, seed %d", kernels[i],
                         (int)seed);
    }
}

static size_t count_results(const char *kernel) {
    uint64_t seen[N_SEEDS + 1];
    size_t n = 0;
    for (uint64_t seed = 0; seed <= N_SEEDS; seed++) {
        uint64_t result = result_of(kernel, seed, NULL);
        size_t i = 0;
        while (i < n && seen[i] != result)
            i++;
        if (i == n)
            seen[n++] = result;
    }
    return n;
}

Test(schedule, shows_results_that_depend_on_the_order) {
    cr_expect_gt(count_results("hand_on"), 1, "of blocks");
    cr_expect_gt(count_results("different_values"), 1, "of blocks and warps");
    cr_expect_gt(count_results("tree_sum_without_barrier"), 1, "of warps");
    cr_expect_gt(count_results("blocks_share"), 1, "read, then written, with others in between");
}

Test(schedule, is_the_same_again_for_a_seed) {
    char *first, *again;
    uint64_t result = result_of("tree_sum_without_barrier", 7, &first);
    cr_expect_eq(result_of("tree_sum_without_barrier", 7, &again), result);
    cr_expect_str_eq(first, again);
    free(first);
    free(again);
}

FIXTURE_TEST(schedule, lets_blocks_that_wait_for_each_other_end) {
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        simt_options(fixture->simt)->seed = seed;
        uint64_t params[3] = {fixture_zeros(fixture, "arrived", 1),
                              fixture_zeros(fixture, "data", 32 * 128),
                              fixture_zeros(fixture, "out", 32 * 128)};
        fixture_pass(fixture, "grid_barrier", 128, 32, 0, params);
        cr_expect_eq(fixture->report.n_findings, 0, "seed %d", (int)seed);
    }
}

FIXTURE_TEST(schedule, still_finds_waits_without_end) {
    uint64_t params[2] = {fixture_zeros(fixture, "flag", 1), fixture_zeros(fixture, "out", 32)};
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        simt_options(fixture->simt)->seed = seed;
        cr_expect_eq(fixture_run(fixture, "wait_for_nobody", 20, 64, 0, params), SIMT_DEADLOCK);
    }
}

/* In the usual order the first block waits for nobody, and nobody for it. */
FIXTURE_TEST(schedule, lets_all_that_are_resident_wait_for_one) {
    enum { N_WAITING = 100 };
    int most = 0;

    for (uint64_t seed = 0; seed <= N_SEEDS; seed++) {
        uint64_t params[2] = {fixture_zeros(fixture, "places", 4),
                              fixture_zeros(fixture, "n_waiting", 1)};
        simt_options(fixture->simt)->seed = seed;
        fixture_pass(fixture, "count_waiting", N_WAITING, 32, 0, params);
        int n_waiting = fixture_int(fixture, params[1], 0);
        cr_expect(seed > 0 || n_waiting == 0);
        most = n_waiting > most ? n_waiting : most;
    }
    cr_expect_eq(most, N_WAITING - 1, "%d waited", most);
}

/* In the usual order each block finds the one before it done. */
FIXTURE_TEST(schedule, finds_waits_for_the_block_with_the_number_before) {
    enum { N_WAITING = 300 };
    struct {
        uint64_t flag, out;
        int first, step;
    } params = {.first = 0, .step = -1};

    params.out = fixture_zeros(fixture, "out", N_WAITING);
    for (uint64_t seed = 0; seed <= N_SEEDS; seed++) {
        params.flag = fixture_zeros(fixture, "flag", N_WAITING);
        simt_options(fixture->simt)->seed = seed;
        cr_expect_eq(fixture_run(fixture, "wait_for_block", N_WAITING, 32, 0, (uint64_t *)&params),
                     seed == 0 ? SIMT_OK : SIMT_DEADLOCK, "seed %d", (int)seed);
    }
}
