/*
 * Host threads: memory and report are the same for any number of them.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(threads, .timeout = 60);

enum { N_BLOCKS = 64, N_THREADS = 64, N = N_BLOCKS * N_THREADS };

/* What a launch left behind. */
struct outcome {
    enum simt_status status;
    char *report;
    uint64_t spent; /* warp instructions */
    char *text[2];  /* what it printed, by enum simt_stream; NULL: nothing */
    size_t text_bytes[2];
    size_t free_bytes; /* of the device's memory */
    int memory[2 * N];
};

static void free_outcome(struct outcome *outcome) {
    free(outcome->report);
    free(outcome->text[SIMT_STDOUT]);
    free(outcome->text[SIMT_STDERR]);
    free(outcome);
}

/* Every kernel gets the same two buffers, one behind the other in `params`, and a number. */
static void launch_within(uint64_t budget, const char *kernel, uint32_t n_host_threads, bool checks,
                          int number, struct outcome *outcome) {
    struct fixture fixture;
    fixture_open(&fixture);
    simt_options(fixture.simt)->n_threads = n_host_threads;
    simt_options(fixture.simt)->checks = checks;
    simt_options(fixture.simt)->budget = budget;
    simt_options(fixture.simt)->timeout_ms = 0; /* which would end the runs at places of its own */
    struct {
        uint64_t a, b;
        int number;
    } params = {fixture_ramp(&fixture, "a", N), fixture_zeros(&fixture, "b", N), number};
    struct {
        uint64_t a;
        int number;
    } short_params = {params.b, number};
    struct simt_kernel *found = simt_kernel_find(fixture.module, kernel);
    bool is_short = simt_kernel_param_bytes(found) <= sizeof short_params - 4;
    outcome->status = fixture_run(&fixture, kernel, N_BLOCKS, N_THREADS, 0,
                                  is_short ? (void *)&short_params : (void *)&params);
    outcome->report = simt_report_json(fixture.simt);
    outcome->spent = fixture_total(&fixture).warp_instructions;
    for (int i = SIMT_STDOUT; i <= SIMT_STDERR; i++)
        outcome->text[i] =
            simt_take_output(fixture.simt, (enum simt_stream)i, &outcome->text_bytes[i]);
    size_t total;
    simt_memory_info(fixture.simt, &outcome->free_bytes, &total);
    simt_read(fixture.simt, outcome->memory, params.a, N * sizeof(int));
    simt_read(fixture.simt, outcome->memory + N, params.b, N * sizeof(int));
    fixture_close(&fixture);
}

static void launch(const char *kernel, uint32_t n_host_threads, bool checks, int number,
                   struct outcome *outcome) {
    launch_within(0, kernel, n_host_threads, checks, number, outcome);
}

static void expect_same_text(const char *kernel, const struct outcome *together,
                             const struct outcome *alone) {
    for (int i = SIMT_STDOUT; i <= SIMT_STDERR; i++) {
        cr_expect_eq(together->text_bytes[i], alone->text_bytes[i], "%s", kernel);
        if (together->text_bytes[i] == alone->text_bytes[i] && alone->text_bytes[i])
            cr_expect_eq(memcmp(together->text[i], alone->text[i], alone->text_bytes[i]), 0, "%s",
                         kernel);
    }
}

static enum simt_status expect_same(uint64_t budget, const char *kernel, bool checks, int number) {
    static const uint32_t counts[] = {2, 3, 8, 64};
    struct outcome *alone = calloc(1, sizeof *alone);
    launch_within(budget, kernel, 1, checks, number, alone);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct outcome *together = calloc(1, sizeof *together);
        launch_within(budget, kernel, counts[i], checks, number, together);
        cr_expect_eq(together->status, alone->status, "%s", kernel);
        cr_expect_str_eq(together->report, alone->report, "%s on %u threads", kernel, counts[i]);
        cr_expect_eq(memcmp(together->memory, alone->memory, sizeof alone->memory), 0,
                     "%s on %u threads", kernel, counts[i]);
        expect_same_text(kernel, together, alone);
        cr_expect_eq(together->free_bytes, alone->free_bytes, "%s", kernel);
        free_outcome(together);
    }
    enum simt_status status = alone->status;
    free_outcome(alone);
    return status;
}

static const char *const kernels[] = {"copy_all",        "histogram",      "hand_on",
                                      "bytes_of_blocks", "blocks_share",   "one_block_is_wrong",
                                      "one_block_traps", "wait_for_block", "blocks_add",
                                      "wander",          "same_flag",      "different_values",
                                      "read_the_clock",  "left_over",      "left_in_registers"};

Test(threads, changes_nothing_with_checks) {
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        expect_same(0, kernels[i], true, N_BLOCKS / 2);
}

Test(threads, changes_nothing_without_checks) {
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        expect_same(0, kernels[i], false, N_BLOCKS / 2);
}

/* Each thread of the host reads what the checks remember of a word while others change it. */
Test(threads, come_to_an_end_where_blocks_read_the_same_words) {
    for (int i = 0; i < 8; i++)
        expect_same(0, "all_read_all", true, 8);
}

/* Kernels of which every block, or one, calls functions of the runtime, or stops the launch. */
Test(threads, changes_nothing_where_blocks_call_the_runtime) {
    static const struct {
        const char *kernel;
        int number;
        enum simt_status status;
    } launches[] = {
        {"all_assert", 5, SIMT_ASSERT},
        {"one_block_asserts", 40, SIMT_ASSERT},
        {"one_block_asserts", -1, SIMT_OK},
        {"all_trap", 2, SIMT_TRAP},
        {"all_print", 7, SIMT_OK},
        {"all_allocate", 7, SIMT_OK},
        {"all_leak", 7, SIMT_OK},
        {"all_free_wrongly", 0, SIMT_TRAP},
        {"all_allocate_indirectly", 0, SIMT_OK},
    };
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        for (int checks = 0; checks <= 1; checks++)
            cr_expect_eq(expect_same(0, launches[i].kernel, checks != 0, launches[i].number),
                         launches[i].status, "%s", launches[i].kernel);
}

/* One line a thread of the warp that fails first, whatever other host threads were at then. */
Test(threads, prints_nothing_of_what_did_not_count) {
    struct outcome *outcome = calloc(1, sizeof *outcome);
    launch("all_assert", 8, false, N_THREADS, outcome);
    size_t n_lines = 0;
    for (size_t i = 0; i < outcome->text_bytes[SIMT_STDERR]; i++)
        n_lines += outcome->text[SIMT_STDERR][i] == '\n';
    cr_expect_eq(n_lines, SIMT_LANES);
    free_outcome(outcome);
}

Test(threads, stops_a_launch_at_the_same_place) {
    static const struct {
        const char *kernel;
        int number;
    } launches[] = {
        {"one_block_is_endless", 0}, {"one_block_is_endless", N_BLOCKS - 1}, {"endless", 0}};
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        for (int checks = 0; checks <= 1; checks++)
            cr_expect_eq(expect_same(1 << 18, launches[i].kernel, checks != 0, launches[i].number),
                         SIMT_TIMEOUT, "%s", launches[i].kernel);
}

/* No block takes too much, but all together do; with few turns, so little each that, with a host
 * thread a block, none of them looks. */
Test(threads, lets_no_more_than_one_thread_would_be_spent) {
    static const int turns[] = {1 << 15, 400};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        struct outcome *whole = calloc(1, sizeof *whole);
        launch("go_round", 1, false, turns[i], whole);
        cr_assert_eq(whole->status, SIMT_OK);
        cr_expect_eq(expect_same(whole->spent * 3 / 4, "go_round", false, turns[i]), SIMT_TIMEOUT);
        free_outcome(whole);
    }
}

Test(threads, finds_a_race_between_blocks_of_different_threads) {
    struct outcome *outcome = calloc(1, sizeof *outcome);
    launch("hand_on", 4, true, 0, outcome);
    cr_expect_not_null(strstr(outcome->report, "global_race"), "%s", outcome->report);
    cr_expect_eq(outcome->memory[N + N_BLOCKS], N_BLOCKS, "blocks run in order");
    free_outcome(outcome);
}

/* Blocks of one queue read the word that a block of another writes: the report. */
static char *clash(uint32_t n_host_threads) {
    struct fixture fixture;
    fixture_open(&fixture);
    simt_options(fixture.simt)->n_threads = n_host_threads;
    struct {
        uint64_t in, out;
        int n;
    } params = {fixture_ramp(&fixture, "in", N), fixture_zeros(&fixture, "out", N), 0};
    const struct simt_clock clocks[] = {{.n = {1, 0}}, {.n = {0, 1}}};
    simt_begin_work(fixture.simt, 0, &clocks[0], NULL);
    cr_expect_eq(fixture_run(&fixture, "copy_one", N_BLOCKS, N_THREADS, 0, &params), SIMT_OK);
    simt_end_work(fixture.simt);
    simt_begin_work(fixture.simt, 1, &clocks[1], NULL);
    fixture_run(&fixture, "different_values", 1, 1, 0, &params.in);
    simt_end_work(fixture.simt);
    char *report = simt_report_json(fixture.simt);
    fixture_close(&fixture);
    return report;
}

Test(threads, lets_other_queues_name_the_same_thread) {
    char *alone = clash(1);
    cr_expect_not_null(strstr(alone, "of block 62 of copy_one reads it"), "%s", alone);
    for (int i = 0; i < 20; i++) {
        char *together = clash(8);
        cr_expect_str_eq(together, alone);
        free(together);
    }
    free(alone);
}

Test(threads, puts_back_what_did_not_count) {
    struct outcome *outcome = calloc(1, sizeof *outcome);
    launch("one_block_traps", 4, true, 3, outcome);
    cr_expect_eq(outcome->status, SIMT_ILLEGAL_ADDRESS);
    cr_expect_eq(outcome->memory[N + 3 * N_THREADS - 1], 1);
    cr_expect_eq(outcome->memory[N + 4 * N_THREADS], 0, "later blocks did not start");
    free_outcome(outcome);
}

/* Which blocks ran on it before depends on how fast the host's threads are. Shared memory begins as
 * zeros; what registers begin with, every other block takes to the same result. */
Test(threads, leaves_nothing_of_a_block_to_the_next) {
    struct outcome *shared = calloc(1, sizeof *shared), *registers = calloc(1, sizeof *registers);
    launch("left_over", 1, false, 0, shared);
    launch("left_in_registers", 1, false, 0, registers);
    for (size_t i = 0; i < N; i++) {
        const int thread = (int)(i % N_THREADS), block = (int)(i / N_THREADS);
        cr_assert_eq(shared->memory[N + i], 0, "thread %d of block %d", thread, block);
        cr_assert_eq(registers->memory[N + i], registers->memory[N + i % (2 * N_THREADS)],
                     "thread %d of block %d", thread, block);
    }
    free_outcome(shared);
    free_outcome(registers);
}
