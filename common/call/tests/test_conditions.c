/*
 * Under what conditions the simulator runs a call, and what it tells of the call beside its
 * findings: with real kernels, as test_kernels.c has them.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/call/tests/support.h"

/* Calls `function(int *out)`. */
static enum call_outcome call(struct call_worker *worker, const char *function) {
    int out[4];
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 4, sizeof *out)};

    return call_run(worker, function, args, 1, support_anew());
}

Test(conditions, one_launch_is_refused) {
    struct call_worker *worker = support_open(CALL_SIM);

    call_under(worker, &(struct call_conditions){.refused = 1});
    cr_expect_eq(call(worker, "keep_memory"), CALL_CUDA_ERROR);
    cr_expect_eq(last.returned, 701);
    call_under(worker, &(struct call_conditions){.refused = 2});
    cr_expect_eq(call(worker, "keep_memory"), CALL_OK, "it has one launch: %s", last.message);
    call_close(worker);
}

Test(conditions, memory_that_stays_allocated_is_counted) {
    struct call_worker *worker = support_open(CALL_SIM);

    for (int i = 0; i < 2; i++) {
        cr_expect_eq(call(worker, "keep_memory"), CALL_OK);
        cr_expect_eq(last.kept_allocations, 1);
        cr_expect_eq(last.kept_bytes, 400);
    }
    cr_expect_eq(call(worker, "tell_place"), CALL_OK);
    cr_expect_eq(last.kept_allocations, 0, "what was there before is not the call's");
    call_close(worker);
}

Test(conditions, a_call_whose_kernels_store_nothing_is_idle) {
    struct call_worker *worker = support_open(CALL_SIM);

    cr_expect_eq(call(worker, "clear_only"), CALL_OK);
    cr_expect(last.is_idle);
    cr_expect_eq(call(worker, "tell_place"), CALL_OK);
    cr_expect(!last.is_idle);
    call_close(worker);
}

static uint64_t place_of(struct call_worker *worker, size_t n) {
    uint64_t out[64] = {0};
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, n, sizeof *out)};

    cr_assert_eq(call_run(worker, "tell_place", args, 1, support_anew()), CALL_OK, "%s",
                 last.message);
    return out[0];
}

Test(conditions, buffers_of_one_size_lie_at_one_place) {
    struct call_worker *worker = support_open(CALL_SIM);
    uint64_t first = place_of(worker, 8);

    cr_expect_neq(place_of(worker, 8), first, "a pointer that was kept must not be right again");
    call_under(worker, &(struct call_conditions){.same_places = true});
    first = place_of(worker, 8);
    cr_expect_eq(place_of(worker, 8), first);
    cr_expect_neq(place_of(worker, 16), first);
    call_close(worker);
}

Test(conditions, work_that_does_not_wait_for_the_default_stream_is_found) {
    struct call_worker *worker = support_open(CALL_SIM);
    int in[8] = {0}, out[8];
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, 8, sizeof *in), support_size(8),
                              support_buffer(CALL_ARG_OUT, "out", out, 8, sizeof *out)};

    call_run(worker, "add_one", args, 3, support_anew());
    cr_expect_null(last.report, "%s", last.report);
    call_run(worker, "add_one_elsewhere", args, 3, support_anew());
    cr_assert_not_null(last.report);
    cr_expect_not_null(strstr(last.report, "orders their streams"), "%s", last.report);
    call_close(worker);
}

Test(conditions, an_order_that_is_drawn_gives_the_same) {
    struct call_worker *worker = support_open(CALL_SIM);

    for (uint64_t seed = 1; seed <= 4; seed++) {
        call_under(worker, &(struct call_conditions){.schedule = seed});
        cr_expect_neq(place_of(worker, 8), 0);
    }
    call_close(worker);
}
