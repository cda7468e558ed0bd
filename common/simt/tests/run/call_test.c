/*
 * Calls: what functions are given and give back, recursion, pointers, and lanes that part.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/tests/run/rig.h"

/* Runs one block of a kernel whose only parameter is `out`. */
static uint64_t run(struct rig *rig, const char *kernel, unsigned n_threads) {
    uint64_t out = rig_zeros(rig, "out", n_threads);
    cr_assert_eq(rig_run(rig, kernel, 1, n_threads, 0, &out), SIMT_OK, "%s: %s", kernel,
                 rig->diag.message);
    cr_expect_eq(rig->report.n_findings, 0, "%s: %s", kernel,
                 rig->report.n_findings ? rig->report.findings[0].message : "");
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

RIG_TEST(call, gives_each_thread_its_own_result) {
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        uint64_t out = run(rig, kernels[k].kernel, 64);
        for (int t = 0; t < 64; t++)
            cr_expect_eq(rig_int(rig, out, (size_t)t), kernels[k].expected(t),
                         "%s: thread %d has %d", kernels[k].kernel, t,
                         rig_int(rig, out, (size_t)t));
    }
}

RIG_TEST(call, starts_anew_in_each_block) {
    uint64_t out = rig_zeros(rig, "out", 64);
    rig_pass(rig, "recursing", 1, 64, 0, &out);
    struct simt_counters one = rig_total(rig);
    rig_pass(rig, "recursing", 3, 64, 0, &out);
    cr_expect_eq(rig_total(rig).thread_instructions, 3 * one.thread_instructions);
    cr_expect_eq(rig_int(rig, out, 8), 21);
}

RIG_TEST(call, copies_structures_there_and_back) {
    struct record {
        int a[5];
        double d;
        char c;
    } records[32], got[32];
    memset(records, 0, sizeof records);
    for (int i = 0; i < 32; i++)
        records[i] = (struct record){{i, 1, 2, 3, 4}, i + 0.5, 'a'};
    uint64_t buffer = rig_buffer(rig, "records", records, sizeof records, sizeof records[0]);
    rig_pass(rig, "by_value", 1, 32, 0, &buffer);
    simt_read(rig->simt, got, buffer, sizeof got);
    for (int i = 0; i < 32; i++) {
        records[i].a[i % 5] += 7;
        cr_expect_arr_eq(got[i].a, records[i].a, sizeof got[i].a);
        cr_expect_eq(got[i].d, 2 * (i + 0.5));
        cr_expect_eq(got[i].c, 'b');
    }
}

RIG_TEST(call, reads_parameters_by_address) {
    struct {
        int values[64];
        uint64_t out;
    } params;
    for (int i = 0; i < 64; i++)
        params.values[i] = i * i;
    params.out = rig_zeros(rig, "out", 64);
    rig_pass(rig, "indexed_param", 1, 64, 0, &params);
    for (int i = 0; i < 64; i++)
        cr_expect_eq(rig_int(rig, params.out, (size_t)i), i * i);
}

RIG_TEST(call, goes_on_without_lanes_that_leave_the_kernel) {
    uint64_t out = rig_zeros(rig, "out", 64);
    rig_pass(rig, "leaving", 1, 64, 0, &out);
    for (int t = 0; t < 64; t++)
        cr_expect_eq(rig_int(rig, out, (size_t)t), t % 2 ? 0 : t / 2, "thread %d", t);
}

RIG_TEST(call, takes_the_way_that_a_switch_names) {
    static const int expected[9] = {17, 5, 4, 18, 99, 2, 2, 7, 4};
    int values[128] = {0};
    for (int i = 0; i < 9; i++)
        values[i] = i;
    values[32] = 5;
    values[33] = 6;
    values[34] = 21;
    uint64_t out = rig_buffer(rig, "out", values, sizeof values, sizeof values[0]);
    rig_pass(rig, "choosing", 1, 32, 0, &out);
    for (int i = 0; i < 9; i++)
        cr_expect_eq(rig_int(rig, out, (size_t)i + 64), expected[i], "case %d", i);
}

RIG_TEST(call, counts_a_jump_through_a_table_as_one_branch) {
    run(rig, "jumping", 64);
    struct simt_counters count = rig_total(rig);
    cr_expect_eq(count.divergent_branches, 2);
}

RIG_TEST(call, stops_a_recursion_without_end) {
    uint64_t out = rig_zeros(rig, "out", 32);
    cr_assert_eq(rig_run(rig, "too_deep", 1, 32, 0, &out), SIMT_STACK_OVERFLOW);
    cr_expect_not_null(strstr(rig->diag.message, "its stack is full"), "%s", rig->diag.message);
    cr_expect_eq(rig->diag.line, rig_line("@endless"));
}

/* No thread goes back in a loop, and the stack is not too deep either. */
RIG_TEST(call, stops_calls_of_which_there_is_no_end) {
    simt_options(rig->simt)->timeout_ms = 0;
    simt_options(rig->simt)->budget = 1 << 20;
    struct {
        uint64_t out;
        int n;
    } params = {rig_zeros(rig, "out", 32), 60};
    cr_assert_eq(rig_run(rig, "too_many", 1, 32, 0, &params), SIMT_TIMEOUT);
    const struct simt_finding *finding = rig_found(rig, SIMT_FINDING_ENDLESS);
    cr_expect_str_eq(finding->here.what, "calls");
    cr_expect_eq(rig->diag.line, rig_line("@branching"));
    params.n = 10;
    cr_expect_eq(rig_run(rig, "too_many", 1, 32, 0, &params), SIMT_OK);
}

RIG_TEST(call, refuses_an_address_that_is_no_function) {
    struct {
        uint64_t out, f;
    } params = {rig_zeros(rig, "out", 32), 0x1234567890};
    cr_assert_eq(rig_run(rig, "misguided", 1, 32, 0, &params), SIMT_INVALID_PC);
    cr_expect_eq(rig->diag.line, rig_line("@misguided"));
}

RIG_TEST(copy, brings_bytes_to_shared_memory_and_zero_where_none_are_asked_for) {
    uint64_t out = rig_ramp(rig, "out", 256);
    rig_pass(rig, "copying", 1, 64, 0, &out);
    rig_expect_quiet(rig);
    for (int t = 0; t < 64; t++)
        cr_expect_eq(rig_int(rig, out, (size_t)t), t % 2 ? 4 * (63 - t) + 3 : 0, "thread %d", t);
}

RIG_TEST(release, hands_over_what_was_written_before) {
    struct {
        uint64_t out, flag;
        int releases;
    } params = {rig_zeros(rig, "out", 2), rig_zeros(rig, "flag", 1), 1};
    rig_pass(rig, "released", 2, 1, 0, &params);
    cr_expect_eq(rig_int(rig, params.out, 1), 7);
    cr_expect_null(rig_finding(rig, SIMT_FINDING_GLOBAL_RACE));
    params.flag = rig_zeros(rig, "flag", 1);
    params.releases = 0;
    rig_pass(rig, "released", 2, 1, 0, &params);
    const struct simt_finding *finding = rig_finding(rig, SIMT_FINDING_GLOBAL_RACE);
    cr_assert_not_null(finding, "nothing is released");
    cr_expect_eq(finding->other.line, rig_line("@released"));
}
