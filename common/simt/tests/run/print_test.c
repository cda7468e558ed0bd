/*
 * Functions of the device's runtime: printf, assert, malloc and free.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

static void expect_output(struct fixture *fixture, enum simt_stream stream, const char *expected) {
    size_t bytes;
    char *text = simt_take_output(fixture->simt, stream, &bytes);
    cr_assert_not_null(text);
    cr_expect_eq(bytes, strlen(expected));
    cr_expect(bytes == strlen(expected) && memcmp(text, expected, bytes) == 0, "%.*s", (int)bytes,
              text);
    free(text);
    cr_expect_null(simt_take_output(fixture->simt, stream, &bytes));
}

FIXTURE_TEST(print, formats_as_the_host_does) {
    struct {
        int n;
        uint64_t word;
    } params = {300, fixture_buffer(fixture, "word", "hello", 6, 1)};
    fixture_pass(fixture, "printing", 1, 1, 0, &params);
    expect_output(fixture, SIMT_STDOUT,
                  "300|  300|300  |00300|+300|12c|0X12C|454|300\n"
                  "1099511627776|300|44|a|%|hello|wx\n"
                  "1.500000|2.35|1.235e+04|1e-07|0x1p+0\n"
                  " 300|0.50    |0x1234\n");
}

FIXTURE_TEST(print, gives_the_number_of_arguments) {
    uint64_t out = fixture_zeros(fixture, "out", 2);
    fixture_pass(fixture, "counting_arguments", 1, 1, 0, &out);
    cr_expect_eq(fixture_int(fixture, out, 0), 0);
    cr_expect_eq(fixture_int(fixture, out, 1), 3);
}

FIXTURE_TEST(print, takes_its_share_of_the_budget) {
    size_t bytes;
    int step = 0;
    simt_options(fixture->simt)->timeout_ms = 0;
    simt_options(fixture->simt)->budget = 1 << 20;
    cr_assert_eq(fixture_run(fixture, "greeting_for_ever", 1, 32, 0, &step), SIMT_TIMEOUT);
    free(simt_take_output(fixture->simt, SIMT_STDOUT, &bytes));
    cr_expect_lt(bytes, 8 * (1 << 20) / 64, "%zu", bytes);
}

FIXTURE_TEST(print, keeps_the_order_of_the_threads) {
    fixture_pass(fixture, "greeting", 2, 2, 0, NULL);
    expect_output(fixture, SIMT_STDOUT,
                  "block 0 thread 0\nblock 0 thread 1\nblock 1 thread 0\nblock 1 thread 1\n");
}

FIXTURE_TEST(print, says_which_assertion_failed_in_cudas_words) {
    int n = 63;
    cr_assert_eq(fixture_run(fixture, "checking", 1, 64, 0, &n), SIMT_ASSERT);
    cr_expect_eq(fixture->diag.line, fixture_line("@checking"));
    size_t bytes;
    char *text = simt_take_output(fixture->simt, SIMT_STDERR, &bytes);
    cr_assert_not_null(text);
    static const char expected[] = ": void checking(int): block: [0,0,0], thread: [63,0,0] "
                                   "Assertion `threadIdx.x < n` failed.\n";
    cr_expect_not_null(memmem(text, bytes, expected, sizeof expected - 1), "%.*s", (int)bytes,
                       text);
    free(text);
}

FIXTURE_TEST(heap, serves_each_thread) {
    size_t before, after, total;
    uint64_t out = fixture_zeros(fixture, "out", 64);
    simt_memory_info(fixture->simt, &before, &total);
    fixture_pass(fixture, "allocating", 1, 64, 0, &out);
    fixture_expect_quiet(fixture);
    simt_memory_info(fixture->simt, &after, &total);
    cr_expect_eq(before, after, "a block was not given back");
    for (int t = 0; t < 64; t++)
        cr_expect_eq(fixture_int(fixture, out, (size_t)t), t + 4);
}

FIXTURE_TEST(heap, gives_nothing_beyond_its_size) {
    uint64_t out = fixture_zeros(fixture, "out", 32);
    fixture_pass(fixture, "greedy", 1, 32, 0, &out);
    cr_expect_eq(fixture_int(fixture, out, 7), 1);
}

FIXTURE_TEST(heap, finds_a_block_that_is_freed_twice) {
    cr_assert_eq(fixture_run(fixture, "freeing_twice", 1, 1, 0, NULL), SIMT_TRAP);
    cr_expect_eq(fixture->diag.line, fixture_line("@freeing_twice"));
    cr_expect_not_null(strstr(fixture->diag.message, "freed before"), "%s", fixture->diag.message);
}
