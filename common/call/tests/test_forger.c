/*
 * Attempts to forge evidence (fakes/forger.h), each against the simulator in a process of its own.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/call/tests/fakes/forger.h"
#include "common/call/tests/support.h"

TestSuite(forger, .timeout = 60);

enum { N = 16 };

/* Calls one of forger.c's functions with an output of N ints, and gets the report. */
static const char *forge(const char *name, int *out, struct call_worker **worker,
                         struct call_result *result) {
    struct call_settings settings = support_settings(CALL_SIM);
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, N, sizeof *out),
                              support_size(N)};

    settings.timeout_ms = 3000;
    *worker = call_open(&settings);
    cr_assert_not_null(*worker);
    call_run(*worker, name, args, 2, result);
    return call_report(*worker, result);
}

static void expect_RACE(const char *name) {
    struct call_worker *worker;
    struct call_result result;
    int out[N];
    const char *report = forge(name, out, &worker, &result);

    cr_assert_not_null(report, "%s: %s: %s", name, call_outcome_word(result.outcome),
                       result.message);
    cr_expect_not_null(strstr(report, "\"kind\":\"global_race\""), "%s: %s", name, report);
    cr_expect_not_null(strstr(report, "\"kernel\":\"racy\""), "%s: %s", name, report);
    cr_expect_geq(result.memory.n_launches, 1);
    call_result_clear(&result);
    call_close(worker);
}

static void expect_NOTHING(const char *name) {
    struct call_worker *worker;
    struct call_result result;
    int out[N];
    const char *report = forge(name, out, &worker, &result);

    cr_assert_eq(result.outcome, CALL_OK, "%s: %s: %s", name, call_outcome_word(result.outcome),
                 result.message);
    cr_expect(result.memory.is_known, "%s", name);
    cr_expect_eq(result.memory.n_launches, 0, "%s", name);
    cr_expect_eq(result.memory.args[0].by_kernels, 0, "%s", name);
    cr_expect(result.untouched || result.memory.args[0].by_host > 0, "%s: %d", name, out[0]);
    cr_assert_not_null(report);
    cr_expect_not_null(strstr(report, "\"launches\":[]"), "%s: %s", name, report);
    call_result_clear(&result);
    call_close(worker);
}

static void expect_outcome(const char *name, enum call_outcome outcome) {
    struct call_worker *worker;
    struct call_result result;
    int out[N];

    forge(name, out, &worker, &result);
    cr_expect_eq(result.outcome, outcome, "%s: %s: %s", name, call_outcome_word(result.outcome),
                 result.message);
    /* The next call has new processes, and knows nothing of it. */
    call_result_clear(&result);
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, N, sizeof *out),
                              support_size(N)};
    cr_expect_eq(call_run(worker, "writes_by_fill", args, 2, &result), CALL_OK, "%s: %s", name,
                 result.message);
    call_result_clear(&result);
    call_close(worker);
}

static void expect_PROTOCOL(const char *name) {
    expect_outcome(name, CALL_PROTOCOL);
}

static void expect_CRASH(const char *name) {
    expect_outcome(name, CALL_CRASH);
}

static void expect_TIMEOUT(const char *name) {
    expect_outcome(name, CALL_TIMEOUT);
}

#define FORGERY_TEST(name, comes_to)                                                               \
    Test(forger, name) {                                                                           \
        expect_##comes_to(#name);                                                                  \
    }
FORGERIES(FORGERY_TEST)
