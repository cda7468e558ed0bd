/* What functions promise beside their results: refused launches, calls in turn, other orders, and
 * who did the work. */
#include <stdio.h>
#include <string.h>

#include "common/harness/tests/fake_call.h"

static void call_sum(struct lab *lab, const struct lab_case *c) {
    int32_t in[] = {1, 2, 3}, sum;

    (void)c;
    lab_returns_refusals(lab, "sum", lab_in("in", in, 3, sizeof *in), lab_size(3),
                         lab_out("sum", &sum, 1, sizeof sum));
}

static void refuse(struct lab *lab) {
    lab_one(lab, 3, 32, call_sum);
}

/* Allocates and launches, and returns the error of each up to `first_ignored`. */
static unsigned first_ignored = 3;
static const struct simt_refusal refusals[] = {
    {.n_calls = 2},
    {.number = 1, .n_calls = 2, .what = SIMT_ALLOCATION, .error = 2},
    {.number = 2, .n_calls = 2, .what = SIMT_LAUNCH, .error = 701, .n_failed = 1}};

FAKE_ANSWER(return_some) {
    fake_sum(function, args, n_args, result);
    result->refusal = refusals[fake.conditions.refused];
    if (fake.conditions.refused == 0 || fake.conditions.refused >= first_ignored)
        return;
    result->returned = result->cuda_error = result->refusal.error;
    result->outcome = result->returned == 2 ? CALL_OUT_OF_MEMORY : CALL_CUDA_ERROR;
}

Test(promises, each_error_has_to_be_returned) {
    fake.answer = return_some;
    fake_judge("safety", refuse, "pass");
    cr_assert_eq(fake.n_calls, 4, "one as usual, and after a launch that is refused one more");
}

/* Returns the error of a launch, and in the next call again. */
FAKE_ANSWER(return_again) {
    static bool is_pending;

    return_some(function, args, n_args, result);
    if (is_pending) {
        result->outcome = CALL_CUDA_ERROR;
        result->returned = result->cuda_error = 701;
    }
    is_pending = fake.conditions.refused == 2;
}

Test(promises, an_error_that_the_next_call_returns_was_left_pending) {
    fake.answer = return_again;
    json_t *document = fake_judge("safety", refuse, "cuda_error");
    fake_expect(document, "diagnosis", "error_left_pending");
    fake_expect_reason(document, "of which the device refused nothing");
    cr_assert_eq(fake.n_calls, 4);
}

FAKE_ANSWER(keep_memory_after_an_error) {
    return_some(function, args, n_args, result);
    result->kept_allocations = fake.conditions.refused == 2;
}

Test(promises, memory_that_is_left_after_an_error_is_damage) {
    fake.answer = keep_memory_after_an_error;
    json_t *document = fake_judge("safety", refuse, "damage");
    fake_expect(document, "diagnosis", "memory_kept_after_error");
    fake_expect_reason(document, "left 1 allocation of");
}

FAKE_ANSWER(use_what_is_not_there) {
    return_some(function, args, n_args, result);
    result->refusal.n_unknown = fake.conditions.refused == 1;
}

Test(promises, a_stream_that_was_never_made_is_not_used) {
    fake.answer = use_what_is_not_there;
    json_t *document = fake_judge("safety", refuse, "damage");
    fake_expect(document, "diagnosis", "object_never_made");
    fake_expect_reason(document, "a stream or an event that it had not made");
}

static void call_sum_without_waits(struct lab *lab, const struct lab_case *c) {
    int32_t in[] = {1, 2, 3}, sum;
    struct call_arg args[] = {lab_in("in", in, 3, sizeof *in), lab_size(3),
                              lab_out("sum", &sum, 1, sizeof sum)};

    (void)c;
    lab_returns_failed_waits_args(lab, "sum", args, 3);
}

static void refuse_waits(struct lab *lab) {
    lab_one(lab, 3, 32, call_sum_without_waits);
}

FAKE_ANSWER(ignore_a_wait) {
    cr_assert_eq(fake.conditions.refuses, SIMT_REFUSES_WAITS);
    fake_sum(function, args, n_args, result);
    result->refusal = (struct simt_refusal){
        .n_calls = 1, .what = fake.conditions.refused == 1 ? SIMT_WAIT : SIMT_NO_CALL};
}

Test(promises, a_wait_that_failed_is_not_ignored) {
    fake.answer = ignore_a_wait;
    json_t *document = fake_judge("safety", refuse_waits, "cuda_error");
    fake_expect(document, "diagnosis", "call_error_swallowed");
    fake_expect_reason(document, "refused number 1, a wait,");
}

/* What the next call gets wrong for another reason is told as that. */
FAKE_ANSWER(fail_after_a_refusal) {
    static bool was_refused;

    return_some(function, args, n_args, result);
    if (was_refused)
        result->outcome = CALL_CRASH;
    was_refused = fake.conditions.refused == 2;
}

Test(promises, a_call_after_a_refusal_may_fail_by_itself) {
    fake.answer = fail_after_a_refusal;
    fake_expect(fake_judge("safety", refuse, "crash"), "diagnosis", NULL);
}

Test(promises, an_error_that_is_swallowed_is_found) {
    json_t *document;

    fake.answer = return_some;
    first_ignored = 2;
    document = fake_judge("safety", refuse, "cuda_error");
    fake_expect(document, "diagnosis", "launch_error_swallowed");
    fake_expect_reason(document, "refused number 2, a launch,");
    first_ignored = 1;
    document = fake_judge("safety", refuse, "cuda_error");
    fake_expect(document, "diagnosis", "call_error_swallowed");
    fake_expect_reason(document, "refused number 1, an allocation (cudaMalloc),");
}

/* Goes on after an allocation that failed, and returns what the next call says. */
FAKE_ANSWER(return_another) {
    return_some(function, args, n_args, result);
    if (fake.conditions.refused == 1) {
        result->outcome = CALL_CUDA_ERROR;
        result->returned = result->cuda_error = 1;
    }
}

Test(promises, another_error_is_not_that_of_the_call_that_failed) {
    fake.answer = return_another;
    json_t *document = fake_judge("safety", refuse, "cuda_error");
    fake_expect(document, "diagnosis", "call_error_swallowed");
    fake_expect_reason(document, "another error, 1");
}

/* Launches a kernel all the same, which reads where nothing is. */
FAKE_ANSWER(go_on_without_memory) {
    return_some(function, args, n_args, result);
    if (fake.conditions.refused == 1)
        result->report = strdup("{\"launches\": [], \"findings\": [{\"kind\": \"out_of_bounds\", "
                                "\"message\": \"a null pointer\"}]}");
}

Test(promises, no_launch_reads_memory_that_is_not_there) {
    fake.answer = go_on_without_memory;
    fake_expect_reason(fake_judge("safety", refuse, "finding"), "a null pointer");
}

static void in_turn(struct lab *lab) {
    static const size_t sizes[] = {40, 40, 20};

    lab_in_turn(lab, sizes, 3, 32, fake_sum_case);
}

/* Gives the first call's result again where n is the same, as long as the worker lives. */
FAKE_ANSWER(keep_result) {
    static size_t n_before, n_opened;
    static int32_t sum_before;
    int32_t *sum = args[2].data;

    cr_assert(fake.conditions.same_places);
    fake_sum(function, args, n_args, result);
    if (n_opened == fake.n_opened && args[0].count == n_before)
        *sum = sum_before;
    n_opened = fake.n_opened;
    n_before = args[0].count;
    sum_before = *sum;
}

Test(promises, a_result_that_is_kept_is_told_as_state) {
    fake.answer = keep_result;
    json_auto_t *document = fake_judge("safety", in_turn, "wrong_answer");
    fake_expect(document, "diagnosis", "state_between_calls");
    fake_expect_reason(document, "right where no other came before");
    cr_assert_eq(fake.n_opened, 2);
}

static void grow(struct lab *lab) {
    static const size_t sizes[] = {20, 40};

    lab_in_turn(lab, sizes, 2, 32, fake_sum_case);
}

Test(promises, a_later_size_that_fails_by_itself_is_not_told_as_state) {
    fake.wrong_from = 30;
    json_auto_t *document = fake_judge("safety", grow, "wrong_answer");
    fake_expect(document, "diagnosis", NULL);
    cr_assert_eq(fake.n_opened, 2);
}

FAKE_ANSWER(leave_memory) {
    fake_sum(function, args, n_args, result);
    result->kept_allocations = 1;
    result->kept_bytes = 160;
}

Test(promises, memory_that_a_call_leaves_is_damage) {
    fake.answer = leave_memory;
    json_auto_t *document = fake_judge("safety", in_turn, "damage");
    fake_expect(document, "diagnosis", "memory_kept");
    fake_expect_reason(document, "160 bytes");
}

static void all_orders(struct lab *lab) {
    lab_any_order(lab, 40, 32, fake_sum_case);
}

FAKE_ANSWER(fail_in_others) {
    fake_sum(function, args, n_args, result);
    *(int32_t *)args[2].data += fake.conditions.schedule != 0;
}

Test(promises, all_orders_are_tried) {
    json_auto_t *document = fake_judge("safety", all_orders, "pass");
    cr_assert_eq(fake.n_calls, 9);
    cr_assert_neq(fake.conditions.schedule, 0);
}

Test(promises, a_result_that_depends_on_the_order_is_told_as_that) {
    fake.answer = fail_in_others;
    json_auto_t *document = fake_judge("safety", all_orders, "wrong_answer");
    fake_expect(document, "diagnosis", "depends_on_order");
    fake_expect_reason(document, "that CUDA allows; in the usual one");
}

FAKE_ANSWER(be_idle) {
    fake_sum(function, args, n_args, result);
    result->is_idle = true;
}

static void one_sum(struct lab *lab) {
    lab_one(lab, 40, 32, fake_sum_case);
}

static void sum_nothing(struct lab *lab) {
    lab_one(lab, 0, 32, fake_sum_case);
}

Test(promises, a_result_without_a_kernel_earns_nothing) {
    fake.answer = be_idle;
    json_auto_t *document = fake_judge("example", one_sum, "technique");
    fake_expect(document, "diagnosis", "nothing_launched");
}

/* Makes a call, and looks at no result. */
static void look_at_nothing(struct lab *lab, const struct lab_case *c) {
    int32_t in[2] = {1, 2}, sum;

    (void)c;
    lab_call(lab, "sum", lab_in("in", in, 2, sizeof *in), lab_size(2),
             lab_out("sum", &sum, 1, sizeof sum));
}

static void sum_unseen(struct lab *lab) {
    lab_one(lab, 2, 32, look_at_nothing);
}

Test(promises, no_result_is_called_right_that_was_not_compared) {
    fake.answer = be_idle;
    json_auto_t *document = fake_judge("example", sum_unseen, "technique");
    fake_expect_reason(document, "returned cudaSuccess, but no kernel stored anything.");
    fake_expect(document, "diagnosis", "nothing_launched");
}

/* The first call is of another function, whose kernel stores something. */
FAKE_ANSWER(work_in_another_function) {
    result->is_idle = strcmp(function, "other") != 0;
    if (result->is_idle)
        fake_sum(function, args, n_args, result);
}

static void other_and_sum(struct lab *lab, const struct lab_case *c) {
    int32_t in[2] = {1, 2}, sum;

    lab_call(lab, "other", lab_in("in", in, 2, sizeof *in), lab_size(2),
             lab_out("sum", &sum, 1, sizeof sum));
    fake_sum_case(lab, c);
}

static void sum_after_another(struct lab *lab) {
    lab_one(lab, 40, 32, other_and_sum);
}

Test(promises, a_result_is_not_kept_from_another_function) {
    fake.answer = work_in_another_function;
    json_auto_t *document = fake_judge("example", sum_after_another, "technique");
    fake_expect(document, "diagnosis", "nothing_launched");
}

/* Host code alone, and after it, or without it, a function that is to launch kernels. */
static void reckon(struct lab *lab, const struct lab_case *c) {
    int32_t in[2] = {1, 2}, sum = 0;

    lab_call_host(lab, "sum", lab_host_in("in", in, 2, 4), lab_size(2),
                  lab_host_out("sum", &sum, 1, 4));
    if (c->block == 64)
        fake_sum_case(lab, c);
}

static void reckon_alone(struct lab *lab) {
    lab_one(lab, 40, 32, reckon);
}

static void reckon_and_sum(struct lab *lab) {
    lab_one(lab, 40, 64, reckon);
}

Test(promises, host_code_alone_needs_no_kernel) {
    fake.answer = be_idle;
    fake_judge("example", reckon_alone, "pass");
    fake_judge("example", reckon_and_sum, "technique");
}

static void sum_one_int(struct lab *lab) {
    lab_one(lab, 1, 32, fake_sum_case);
}

/* Without a kernel, and so many bytes that the host has read and written. */
static uint64_t n_to_host, n_from_host;

FAKE_ANSWER(move_bytes) {
    be_idle(function, args, n_args, result);
    result->memory =
        (struct call_memory){.is_known = true, .to_host = n_to_host, .from_host = n_from_host};
}

/* A sum of one int is that int: a copy from `in` to `sum` is all that is to do. */
Test(promises, one_element_that_is_copied_on_the_device_needs_no_kernel) {
    fake.answer = move_bytes;
    fake_judge("example", sum_one_int, "pass");
    fake_judge("example", one_sum, "technique");
}

Test(promises, one_element_that_goes_through_the_host_earns_nothing) {
    fake.answer = move_bytes;
    n_to_host = n_from_host = 4;
    fake_expect(fake_judge("example", sum_one_int, "technique"), "diagnosis", "nothing_launched");
    n_to_host = 0;
    fake_expect(fake_judge("example", sum_one_int, "technique"), "diagnosis", "nothing_launched");
}

/* The first call by a kernel, the second by the host, which has read so many bytes. */
FAKE_ANSWER(work_later_on_the_host) {
    fake_sum(function, args, n_args, result);
    result->is_idle = fake.n_calls > 1;
    result->memory = (struct call_memory){
        .is_known = true, .to_host = result->is_idle ? n_to_host : 0, .from_host = 4};
}

static void two_sums(struct lab *lab) {
    lab_one(lab, 40, 32, fake_sum_case);
    lab_one(lab, 40, 32, fake_sum_case);
}

Test(promises, a_host_that_reads_the_input_keeps_nothing) {
    fake.answer = work_later_on_the_host;
    n_to_host = 160;
    json_t *document = fake_judge("example", two_sums, "technique");
    fake_expect(document, "diagnosis", "work_on_the_host");
    fake_expect_reason(document, "the host has computed it");
}

Test(promises, a_host_that_reads_nothing_has_kept_the_result) {
    fake.answer = work_later_on_the_host;
    json_t *document = fake_judge("example", two_sums, "technique");
    fake_expect(document, "diagnosis", "state_between_calls");
}

/* Without an input the host may have computed the result, or kept it. */
static void estimate(struct lab *lab, const struct lab_case *c) {
    double pi = 0;

    lab_call(lab, "pi", lab_size(c->n), lab_out("pi", &pi, 1, sizeof pi));
}

static void two_estimates(struct lab *lab) {
    static const size_t sizes[] = {40, 40};

    lab_in_turn(lab, sizes, 2, 32, estimate);
}

static bool is_kept; /* else the host computes what comes second */

FAKE_ANSWER(estimate_later_on_the_host) {
    result->is_idle = fake.n_calls > 1 && (fake.n_opened == 1 || !is_kept);
    result->memory = (struct call_memory){.is_known = true, .from_host = 8};
}

Test(promises, a_result_without_an_input_was_kept_where_a_call_alone_has_a_kernel) {
    fake.answer = estimate_later_on_the_host;
    is_kept = true;
    json_t *document = fake_judge("safety", two_estimates, "technique");
    fake_expect(document, "diagnosis", "state_between_calls");
    fake_expect_reason(document, "right where no other came before");
}

Test(promises, a_result_without_an_input_that_the_host_computes_is_not_told_as_kept) {
    fake.answer = estimate_later_on_the_host;
    json_t *document = fake_judge("safety", two_estimates, "technique");
    fake_expect(document, "diagnosis", "nothing_launched");
}

Test(promises, nothing_to_do_needs_no_kernel) {
    fake.answer = be_idle;
    json_auto_t *document = fake_judge("example", sum_nothing, "pass");
}

/* A technique test whose report says this of memory. */
static json_t *perform_with_memory(const char *memory) {
    static char report[512];

    snprintf(report, sizeof report,
             "{\"launches\": [{\"grid\": [1, 1, 1], \"block\": [32, 1, 1]}], \"findings\": [], "
             "\"memory\": {\"sure\": true, \"from_host\": 0, %s}}",
             memory);
    fake.kept = report;
    return fake_perform("technique", one_sum);
}

Test(promises, data_that_pass_through_the_host_are_found) {
    json_auto_t *document = perform_with_memory("\"to_host\": 128, \"buffers\": []");

    fake_expect(document, "verdict", "technique");
    fake_expect(document, "diagnosis", "work_on_the_host");
    fake_expect_reason(document, "128 bytes");
}

Test(promises, an_output_that_no_kernel_wrote_is_found) {
    json_auto_t *document = perform_with_memory(
        "\"to_host\": 0, \"buffers\": [{\"name\": \"sum\", \"bytes\": 4, \"by_kernels\": 0}]");

    fake_expect(document, "diagnosis", "work_on_the_host");
    fake_expect_reason(document, "the host wrote sum");
}

Test(promises, an_output_that_a_kernel_wrote_passes) {
    json_auto_t *document = perform_with_memory(
        "\"to_host\": 0, \"buffers\": [{\"name\": \"sum\", \"bytes\": 4, \"by_kernels\": 4}]");

    fake_expect(document, "verdict", "pass");
}

static const char two_launches[] =
    "{\"launches\": [{\"grid\": [4, 1, 1], \"block\": [64, 1, 1]},"
    " {\"grid\": [1, 1, 1], \"block\": [32, 1, 1]}], \"findings\": []}";

static void expect_grid(struct lab *lab, const struct lab_case *c) {
    fake_sum_case(lab, c);
    lab_expect_grid(lab, c->block, 4);
}

static void grids(struct lab *lab) {
    lab_one(lab, 40, 64, expect_grid);
    lab_one(lab, 40, 32, expect_grid);
}

Test(promises, the_largest_launch_has_the_block_that_was_asked_for) {
    fake.kept = two_launches;
    json_auto_t *document = fake_judge("technique", grids, "technique");
    fake_expect(document, "diagnosis", "other_grid");
    cr_assert_eq(json_integer_value(json_object_get(document, "cases_passed")), 1);
}
