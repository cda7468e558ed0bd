/*
 * Calls and copies that are timed, on the stand-in runtime.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "common/call/tests/support.h"

Test(timed, takes_the_time_between_events) {
    struct call_worker *worker = support_open(CALL_GPU);
    int in[5] = {1, 2, 3, 4, 5}, out[5];
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, 5, sizeof *in), support_size(5),
                              support_buffer(CALL_ARG_OUT, "out", out, 5, sizeof *out)};

    for (int i = 0; i < 3; i++) {
        in[0] = i;
        memset(out, 0, sizeof out);
        call_run_timed(worker, "add_one", args, 3, support_anew());
        support_expect(CALL_OK);
        cr_assert_eq(out[0], i + 1, "a timed call's outputs come back");
        cr_assert(last.event_ms >= 0 && last.event_ms <= last.wall_ms);
        cr_assert_eq(last.damage.kind, CALL_INTACT);
    }
    call_close(worker);
}

/* Sums 1 to n from pinned memory; returns how many pieces of memory are registered, and were. */
static void sum_pinned(struct call_worker *worker, int n, bool is_timed, int registered[2]) {
    int in[2000], sum = -1;
    struct call_arg args[] = {
        support_buffer(CALL_ARG_HOST_IN, "in", in, (size_t)n, sizeof *in), support_size((size_t)n),
        support_buffer(CALL_ARG_HOST_OUT, "sum", &sum, 1, sizeof sum),
        support_buffer(CALL_ARG_HOST_OUT, "registered", registered, 2, sizeof *registered)};

    args[0].is_pinned = args[2].is_pinned = true;
    for (int i = 0; i < n; i++)
        in[i] = i + 1;
    if (is_timed)
        call_run_timed(worker, "sum_pinned", args, 4, support_anew());
    else
        call_run(worker, "sum_pinned", args, 4, support_anew());
    support_expect(CALL_OK);
    cr_expect_eq(sum, n * (n + 1) / 2, "%d numbers gave %d", n, sum);
    cr_expect_eq(last.damage.kind, CALL_INTACT);
}

Test(timed, keeps_pinned_memory_for_the_next_call) {
    struct call_worker *worker = support_open(CALL_GPU);
    const struct {
        int n;
        bool is_timed;
        int n_now, n_ever;
    } rows[] = {{1000, true, 2, 2}, {1000, true, 2, 2}, {1001, true, 2, 3}, {1001, false, 2, 5},
                {1001, true, 2, 7}, {1001, true, 2, 7}, {1001, false, 2, 9}};
    int registered[2];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sum_pinned(worker, rows[i].n, rows[i].is_timed, registered);
        cr_expect_eq(registered[0], rows[i].n_now, "%d in row %zu", registered[0], i);
        cr_expect_eq(registered[1], rows[i].n_ever, "%d in row %zu", registered[1], i);
    }
    call_close(worker);
}

Test(timed, tells_how_a_call_failed) {
    struct call_worker *worker = support_open(CALL_GPU);
    const struct {
        const char *function;
        enum call_outcome outcome;
    } rows[] = {{"absent", CALL_NO_ENTRY},  {"not_written", CALL_NOT_WRITTEN},
                {"use_null", CALL_CRASH},   {"return_error", CALL_CUDA_ERROR},
                {"exit_zero", CALL_EXITED}, {"send_own_answer", CALL_PROTOCOL},
                {"do_nothing", CALL_OK}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int out[1];
        struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 1, sizeof *out)};
        call_run_timed(worker, rows[i].function, args, 1, support_anew());
        support_expect(rows[i].outcome);
    }
    call_close(worker);
}

Test(timed, takes_the_time_of_copies_without_a_submission) {
    struct call_settings settings = support_settings(CALL_GPU);
    settings.submission = NULL;
    struct call_worker *worker = call_open(&settings);
    double ms;

    call_time_copy(worker, 1 << 20, false, 5, &ms, support_anew());
    support_expect(CALL_OK);
    cr_assert(ms >= 0);
    call_time_copy(worker, (size_t)1 << 40, false, 5, &ms, support_anew());
    support_expect(CALL_OUT_OF_MEMORY);
    cr_assert(isnan(ms));
    call_run(worker, "do_nothing", NULL, 0, support_anew());
    support_expect(CALL_INFRASTRUCTURE);
    call_close(worker);
}
