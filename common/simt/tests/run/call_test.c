/*
 * Calls: what functions are given and give back, recursion, pointers, and lanes that part.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

/* Runs one block of a kernel whose only parameter is `out`. */
static uint64_t run(struct fixture *fixture, const char *kernel, unsigned n_threads) {
    uint64_t out = fixture_zeros(fixture, "out", n_threads);
    cr_assert_eq(fixture_run(fixture, kernel, 1, n_threads, 0, &out), SIMT_OK, "%s: %s", kernel,
                 fixture->diag.message);
    cr_expect_eq(fixture->report.n_findings, 0, "%s: %s", kernel,
                 fixture->report.n_findings ? fixture->report.findings[0].message : "");
    return out;
}

static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
static int expected_recursing(int t) {
    return fibonacci(t % 9);
}
static int expected_each_other(int t) {
    return t % 2 == 0;
}
static int expected_pointed(int t) {
    return t & 1 ? t * 3 : t + 3;
}
static int expected_virtually(int t) {
    return t & 1 ? t * t : t;
}
static int expected_shuffled(int t) {
    (void)t;
    return 16 * 101;
}
static int expected_meeting(int t) {
    return 63 - t;
}
static int expected_jumping(int t) {
    return 10 + t % 4;
}

static const struct {
    const char *kernel;
    int (*expected)(int thread);
} kernels[] = {
    {"recursing", expected_recursing}, {"each_other", expected_each_other},
    {"pointed", expected_pointed},     {"virtually", expected_virtually},
    {"shuffled", expected_shuffled},   {"meeting", expected_meeting},
    {"jumping", expected_jumping},
};

FIXTURE_TEST(call, gives_each_thread_its_own_result) {
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        uint64_t out = run(fixture, kernels[k].kernel, 64);
        for (int t = 0; t < 64; t++)
            cr_expect_eq(fixture_int(fixture, out, (size_t)t), kernels[k].expected(t),
                         "%s: thread %d has %d", kernels[k].kernel, t,
                         fixture_int(fixture, out, (size_t)t));
    }
}

FIXTURE_TEST(call, starts_anew_in_each_block) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    fixture_pass(fixture, "recursing", 1, 64, 0, &out);
    struct simt_counters one = fixture_total(fixture);
    fixture_pass(fixture, "recursing", 3, 64, 0, &out);
    cr_expect_eq(fixture_total(fixture).thread_instructions, 3 * one.thread_instructions);
    cr_expect_eq(fixture_int(fixture, out, 8), 21);
}

FIXTURE_TEST(call, copies_structures_there_and_back) {
    struct record {
        int a[5];
        double d;
        char c;
    } records[32], got[32];
    memset(records, 0, sizeof records);
    for (int i = 0; i < 32; i++)
        records[i] = (struct record){{i, 1, 2, 3, 4}, i + 0.5, 'a'};
    uint64_t buffer =
        fixture_buffer(fixture, "records", records, sizeof records, sizeof records[0]);
    fixture_pass(fixture, "by_value", 1, 32, 0, &buffer);
    simt_read(fixture->simt, got, buffer, sizeof got);
    for (int i = 0; i < 32; i++) {
        records[i].a[i % 5] += 7;
        cr_expect_arr_eq(got[i].a, records[i].a, sizeof got[i].a);
        cr_expect_eq(got[i].d, 2 * (i + 0.5));
        cr_expect_eq(got[i].c, 'b');
    }
}

FIXTURE_TEST(call, reads_parameters_by_address) {
    struct {
        int values[64];
        uint64_t out;
    } params;
    for (int i = 0; i < 64; i++)
        params.values[i] = i * i;
    params.out = fixture_zeros(fixture, "out", 64);
    fixture_pass(fixture, "indexed_param", 1, 64, 0, &params);
    for (int i = 0; i < 64; i++)
        cr_expect_eq(fixture_int(fixture, params.out, (size_t)i), i * i);
}

FIXTURE_TEST(call, goes_on_without_lanes_that_leave_the_kernel) {
    uint64_t out = fixture_zeros(fixture, "out", 64);
    fixture_pass(fixture, "leaving", 1, 64, 0, &out);
    for (int t = 0; t < 64; t++)
        cr_expect_eq(fixture_int(fixture, out, (size_t)t), t % 2 ? 0 : t / 2, "thread %d", t);
}

FIXTURE_TEST(call, takes_the_way_that_a_switch_names) {
    static const int expected[9] = {17, 5, 4, 18, 99, 2, 2, 7, 4};
    int values[128] = {0};
    for (int i = 0; i < 9; i++)
        values[i] = i;
    values[32] = 5;
    values[33] = 6;
    values[34] = 21;
    uint64_t out = fixture_buffer(fixture, "out", values, sizeof values, sizeof values[0]);
    fixture_pass(fixture, "choosing", 1, 32, 0, &out);
    for (int i = 0; i < 9; i++)
        cr_expect_eq(fixture_int(fixture, out, (size_t)i + 64), expected[i], "case %d", i);
}

FIXTURE_TEST(call, counts_a_jump_through_a_table_as_one_branch) {
    run(fixture, "jumping", 64);
    struct simt_counters count = fixture_total(fixture);
    cr_expect_eq(count.divergent_branches, 2);
}

FIXTURE_TEST(call, stops_a_recursion_without_end) {
    uint64_t out = fixture_zeros(fixture, "out", 32);
    cr_assert_eq(fixture_run(fixture, "too_deep", 1, 32, 0, &out), SIMT_STACK_OVERFLOW);
    cr_expect_not_null(strstr(fixture->diag.message, "its stack is full"), "%s",
                       fixture->diag.message);
    cr_expect_eq(fixture->diag.line, fixture_line("@endless"));
}

/* No thread goes back in a loop, and the stack is not too deep either. */
FIXTURE_TEST(call, stops_calls_of_which_there_is_no_end) {
    simt_options(fixture->simt)->timeout_ms = 0;
    simt_options(fixture->simt)->budget = 1 << 20;
    struct {
        uint64_t out;
        int n;
    } params = {fixture_zeros(fixture, "out", 32), 60};
    cr_assert_eq(fixture_run(fixture, "too_many", 1, 32, 0, &params), SIMT_TIMEOUT);
    const struct simt_finding *finding = fixture_found(fixture, SIMT_FINDING_ENDLESS);
    cr_expect_str_eq(finding->here.what, "calls");
    cr_expect_eq(fixture->diag.line, fixture_line("@branching"));
    params.n = 10;
    cr_expect_eq(fixture_run(fixture, "too_many", 1, 32, 0, &params), SIMT_OK);
}

FIXTURE_TEST(call, refuses_an_address_that_is_no_function) {
    struct {
        uint64_t out, f;
    } params = {fixture_zeros(fixture, "out", 32), 0x1234567890};
    cr_assert_eq(fixture_run(fixture, "misguided", 1, 32, 0, &params), SIMT_INVALID_PC);
    cr_expect_eq(fixture->diag.line, fixture_line("@misguided"));
}

FIXTURE_TEST(copy, brings_bytes_to_shared_memory_and_zero_where_none_are_asked_for) {
    uint64_t out = fixture_ramp(fixture, "out", 256);
    fixture_pass(fixture, "copying", 1, 64, 0, &out);
    fixture_expect_quiet(fixture);
    for (int t = 0; t < 64; t++)
        cr_expect_eq(fixture_int(fixture, out, (size_t)t), t % 2 ? 4 * (63 - t) + 3 : 0,
                     "thread %d", t);
}

FIXTURE_TEST(release, hands_over_what_was_written_before) {
    struct {
        uint64_t out, flag;
        int releases;
    } params = {fixture_zeros(fixture, "out", 2), fixture_zeros(fixture, "flag", 1), 1};
    fixture_pass(fixture, "released", 2, 1, 0, &params);
    cr_expect_eq(fixture_int(fixture, params.out, 1), 7);
    cr_expect_null(fixture_finding(fixture, SIMT_FINDING_GLOBAL_RACE));
    params.flag = fixture_zeros(fixture, "flag", 1);
    params.releases = 0;
    fixture_pass(fixture, "released", 2, 1, 0, &params);
    const struct simt_finding *finding = fixture_finding(fixture, SIMT_FINDING_GLOBAL_RACE);
    cr_assert_not_null(finding, "nothing is released");
    cr_expect_eq(finding->other.line, fixture_line("@released"));
}
