/*
 * Sparse buffers: of more than the machine has, with real kernels, of whose blocks a sample runs.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/call/tests/support.h"

TestSuite(sparse, .timeout = 100);

enum { BITS = 41, BLOCK = 256, STEP = CALL_SPARSE_STEP };
static const size_t n = ((size_t)1 << 33) + 1001; /* 32 GiB of ints */

/* The blocks at a quarter of the grid run, and with them those at three quarters. */
static const size_t at_quarter = ((((size_t)1 << 33) + 1001) / BLOCK + 1) / 4 * BLOCK;

static void sample_quarter(struct call_worker *worker) {
    call_under(worker, &(struct call_conditions){.sample = {.n = 1, .at = {1U << 31}}});
}

struct buffers {
    struct call_arg args[3];
};

/* add_one's, with `count` ints set from `first` on, and `n_out` of them in the output. */
static struct buffers describe(size_t first, size_t count, size_t n_out) {
    struct buffers buffers = {{support_buffer(CALL_ARG_IN, "in", NULL, n, sizeof(int)),
                               support_size(n),
                               support_buffer(CALL_ARG_OUT, "out", NULL, n_out, sizeof(int))}};

    buffers.args[0].sparse = (struct call_sparse){true, BITS, first, count};
    buffers.args[2].sparse.is_on = true;
    return buffers;
}

static enum call_outcome run(struct call_worker *worker, struct buffers *buffers) {
    return call_run(worker, "add_one", buffers->args, 3, support_anew());
}

/* What came out, which stays until the next call. */
static const int *add_one(struct call_worker *worker, size_t first, size_t count) {
    struct buffers buffers = describe(first, count, n);

    cr_assert_eq(run(worker, &buffers), CALL_OK, "%s", last.message);
    return buffers.args[2].data;
}

Test(sparse, hold_what_is_set_again_and_again_and_zeros_elsewhere) {
    struct call_worker *worker = support_open(CALL_SIM);
    const size_t piece = at_quarter / STEP * STEP; /* that the quarter lies in */

    sample_quarter(worker);
    const int *out = add_one(worker, piece - 2 * STEP, 4 * (size_t)STEP);
    cr_expect_eq(out[at_quarter], BITS + 1, "in the third of four pieces: %d", out[at_quarter]);
    cr_expect_eq(out[0], 1);
    cr_expect_eq(out[n - 1], 1);
    cr_expect_eq(out[n / 2], 0, "no block ran there");
    out = add_one(worker, piece - 2 * STEP, 2 * (size_t)STEP);
    cr_expect_eq(out[at_quarter], 1, "the second of two pieces ends before");
    out = add_one(worker, 0, n / STEP * STEP);
    cr_expect_eq(out[at_quarter] + out[n - 1 - at_quarter], 2 * (BITS + 1));
    cr_expect_eq(out[n - 1], 1);
    call_close(worker);
}

Test(sparse, begin_as_zeros_at_each_call) {
    struct call_worker *worker = support_open(CALL_SIM);

    sample_quarter(worker);
    cr_expect_eq(add_one(worker, 0, 0)[at_quarter], 1);
    call_under(worker, &(struct call_conditions){.sample = {.n = 1, .at = {1U << 30}}});
    const int *out = add_one(worker, 0, 0);
    cr_expect_eq(out[at_quarter], 0);
    cr_expect_eq(out[at_quarter / 2], 1);
    call_close(worker);
}

Test(sparse, end_where_they_end) {
    struct call_worker *worker = support_open(CALL_SIM);
    struct buffers buffers = describe(0, 0, n - 1);

    sample_quarter(worker);
    run(worker, &buffers);
    cr_expect_neq(last.outcome, CALL_OK);
    cr_assert_not_null(last.report);
    cr_expect_not_null(strstr(last.report, "out[8589935592]"), "%s", last.report);
    call_close(worker);
}

Test(sparse, leave_no_trace_in_a_call_as_usual) {
    struct call_worker *worker = support_open(CALL_SIM);
    int in[] = {1, 2, 3}, out[3];
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, 3, sizeof *in), support_size(3),
                              support_buffer(CALL_ARG_OUT, "out", out, 3, sizeof *out)};

    sample_quarter(worker);
    add_one(worker, 0, STEP);
    call_under(worker, &(struct call_conditions){.refused = 0});
    cr_expect_eq(call_run(worker, "add_one", args, 3, support_anew()), CALL_OK, "%s", last.message);
    cr_expect_arr_eq(out, ((int[]){2, 3, 4}), sizeof out);
    cr_expect_null(last.report, "%s", last.report);
    cr_expect_eq(last.damage.kind, CALL_INTACT);
    call_close(worker);
}

/* Buffers that lie where pieces of sparse ones lay: each of them in its own place. */
Test(sparse, leave_no_pieces_in_several_places) {
    enum { N = STEP / 4 * 3 };
    struct call_worker *worker = support_open(CALL_SIM);
    int *in = calloc(N, sizeof *in), *out = calloc(N, sizeof *out);
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, N, sizeof *in), support_size(N),
                              support_buffer(CALL_ARG_OUT, "out", out, N, sizeof *out)};
    size_t n_right = 0;

    sample_quarter(worker);
    add_one(worker, 0, 4 * (size_t)STEP);
    call_under(worker, &(struct call_conditions){.refused = 0});
    for (int i = 0; i < N; i++)
        in[i] = i;
    cr_expect_eq(call_run(worker, "add_one", args, 3, support_anew()), CALL_OK, "%s", last.message);
    for (int i = 0; i < N; i++)
        n_right += out[i] == i + 1;
    cr_expect_eq(n_right, N);
    free(in);
    free(out);
    call_close(worker);
}

static void expect_refusal(struct call_worker *worker, struct buffers buffers) {
    cr_expect_eq(run(worker, &buffers), CALL_INFRASTRUCTURE, "%s", last.message);
}

Test(sparse, are_refused_where_pieces_do_not_fit) {
    struct call_worker *worker = support_open(CALL_SIM);
    struct buffers wide = describe(0, STEP, n), on_host = describe(0, STEP, n);

    sample_quarter(worker);
    expect_refusal(worker, describe(1, STEP, n));
    expect_refusal(worker, describe(0, STEP + 1, n));
    expect_refusal(worker, describe(n / STEP * STEP, STEP, n));
    expect_refusal(worker, describe((n / STEP + 2) * STEP, STEP, n));
    wide.args[0].element_bytes = 8;
    expect_refusal(worker, wide);
    on_host.args[0].kind = CALL_ARG_HOST_OUT;
    expect_refusal(worker, on_host);
    call_close(worker);
}

Test(sparse, lie_in_host_memory_of_more_than_a_worker_has) {
    struct call_worker *worker = support_open(CALL_SIM);
    struct call_arg out = support_buffer(CALL_ARG_HOST_OUT, "out", NULL, n, sizeof(int));

    out.sparse.is_on = true;
    for (int i = 0; i < 2; i++) {
        call_run(worker, "touch_on_host", &out, 1, support_anew());
        cr_assert_eq(last.outcome, CALL_OK, "%s", last.message);
        cr_expect_null(out.data);
    }
    out.kind = CALL_ARG_HOST_IN;
    call_run(worker, "touch_on_host", &out, 1, support_anew());
    cr_expect_eq(last.outcome, CALL_CRASH, "an input was written: %s", last.message);
    out.is_pinned = true;
    cr_expect_eq(call_run(worker, "touch_on_host", &out, 1, support_anew()), CALL_INFRASTRUCTURE);
    call_close(worker);
}
