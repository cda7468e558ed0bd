/* Sweeps: which cases run, and which failing one is reported. */
#include "common/harness/tests/fake_call.h"

static const size_t sizes[] = {0, 1, 31, 1000, 4000};
static const unsigned blocks[] = {32, 256};

static void sweep_sums(struct lab *lab) {
    lab_sweep(lab, sizes, 5, blocks, 2, fake_sum_case);
}

static json_int_t case_n(const json_t *document) {
    return json_integer_value(json_object_get(json_object_get(document, "case"), "n"));
}

Test(sweep, runs_every_size_with_every_block_in_one_worker) {
    json_t *document = fake_judge("edge", sweep_sums, "pass");
    fake_expect(document, "case", NULL);
    cr_assert_eq(json_integer_value(json_object_get(document, "cases_passed")), 10);
    cr_assert_eq(fake.n_calls, 10);
    cr_assert_eq(fake.n_opened, 1);
}

Test(sweep, finds_the_smallest_failing_size) {
    fake.wrong_from = 517;
    json_t *document = fake_judge("edge", sweep_sums, "wrong_answer");
    cr_assert_eq(case_n(document), 517);
    cr_assert_eq(json_integer_value(json_object_get(document, "cases_passed")), 6);
    fake_expect_reason(document, "n = 517");
}

/* The news of a sum that is wrong from some size on, where the simulator counts so many calls. */
static json_t *news_of(size_t wrong_from, const char *n_resets) {
    char report[256];

    snprintf(report, sizeof report,
             "{\"news\": {\"resets\": %s, \"lines\": [{\"file\": \"sum.cu\", \"line\": 10}, "
             "{\"file\": \"sum.cu\", \"line\": 11}]}, \"launches\": [{\"lines\": "
             "[{\"file\": \"sum.cu\", \"line\": 9}, {\"file\": \"sum.cu\", \"line\": 10}]}]}",
             n_resets);
    fake.report = report;
    fake.wrong_from = wrong_from;
    fake.n_calls = 0;
    json_t *document = fake_perform("edge", sweep_sums);
    fake.report = NULL;
    return json_object_get(json_object_get(document, "mismatch"), "news");
}

Test(sweep, tells_which_lines_no_case_that_passed_had_run) {
    json_t *news = news_of(517, "7"); /* the first case that fails is the seventh */
    cr_assert_eq(json_array_size(news), 1);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(news, 0), "line")), 10);
    fake_expect(json_array_get(news, 0), "file", "sum.cu");
}

/* What the report of a small case says of an input of 4 bytes each that nobody has read. */
static json_t *unread_of(const char *unread) {
    char report[256];

    snprintf(report, sizeof report,
             "{\"memory\": {\"buffers\": [{\"name\": \"sum\", \"unread\": null}, "
             "{\"name\": \"in\", \"unread\": %s}]}}",
             unread);
    fake.report = report;
    fake.wrong_from = 5;
    json_t *document = fake_perform("edge", sweep_sums);
    fake.report = NULL;
    return json_object_get(document, "unread");
}

Test(sweep, tells_which_elements_nobody_has_read) {
    json_t *unread = unread_of("{\"bytes\": 12, \"spans\": [[4, 8], [16, 4]]}");
    fake_expect(unread, "name", "in");
    cr_expect_eq(json_integer_value(json_object_get(unread, "first")), 1);
    cr_expect_eq(json_integer_value(json_object_get(unread, "last")), 2);
    cr_expect_eq(json_integer_value(json_object_get(unread, "count")), 3);
    cr_expect(json_is_null(unread_of("{\"bytes\": 0, \"spans\": []}")));
    cr_expect(json_is_null(unread_of("null")));
    cr_expect(json_is_null(unread_of("{\"bytes\": 99, \"spans\": [[4, 96]]}")), "not its own");
}

Test(sweep, has_no_news_where_the_simulator_missed_a_call) {
    cr_expect_eq(json_array_size(news_of(517, "6")), 0);
}

Test(sweep, has_no_news_where_no_case_passed) {
    cr_expect_eq(json_array_size(news_of(0, "1")), 0);
}

Test(sweep, reports_size_zero_where_that_fails) {
    fake.wrong_from = 0;
    json_t *document = fake_perform("edge", sweep_sums);
    cr_assert_eq(case_n(document), 0);
}

/* Takes any wrong sum for twice the right one that is above it. */
static void take_for_twice(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, "in"), *sum = lab_argument(lab, "sum");
    uint32_t right = 0;

    (void)c, (void)verdict;
    for (size_t i = 0; i < in->count; i++)
        right += (uint32_t)((const int32_t *)in->data)[i];
    if (*(const uint32_t *)sum->data == 2 * right)
        lab_diagnose(lab, "twice");
}

static void diagnosed_case(struct lab *lab, const struct lab_case *c) {
    lab_set_diagnoser(lab, take_for_twice);
    fake_sum_case(lab, c);
}

static void sweep_diagnosed(struct lab *lab) {
    lab_sweep(lab, sizes, 5, blocks, 2, diagnosed_case);
}

FAKE_ANSWER(always_twice) {
    fake_sum(function, args, n_args, result);
    *(uint32_t *)args[2].data *= 2;
}

/* Of one int, twice the first is twice the sum. */
FAKE_ANSWER(first_once_more) {
    fake_sum(function, args, n_args, result);
    *(uint32_t *)args[2].data += args[0].count ? *(const uint32_t *)args[0].data : 0;
}

Test(sweep, tells_a_mistake_that_other_cases_show_again) {
    fake.answer = always_twice;
    json_t *document = fake_judge("edge", sweep_diagnosed, "wrong_answer");
    cr_assert_eq(case_n(document), 1);
    fake_expect(document, "diagnosis", "twice");
}

Test(sweep, tells_no_mistake_that_one_case_alone_looks_like) {
    fake.answer = first_once_more;
    json_t *document = fake_judge("edge", sweep_diagnosed, "wrong_answer");
    cr_assert_eq(case_n(document), 1);
    fake_expect(document, "diagnosis", NULL);
}

FAKE_ANSWER(crash_above_600) {
    fake_sum(function, args, n_args, result);
    if (args[0].count > 600)
        result->outcome = CALL_CRASH;
}

Test(sweep, does_not_mix_two_kinds_of_failure) {
    fake.answer = crash_above_600;
    fake.wrong_from = 500; /* 1000 crashes; 500 to 600 are wrong in another way */
    json_t *document = fake_judge("edge", sweep_sums, "crash");
    cr_assert_eq(case_n(document), 601);
}

Test(sweep, does_not_shrink_what_costs_the_time_limit) {
    fake.outcome = CALL_TIMEOUT;
    fake_judge("edge", sweep_sums, "timeout");
    cr_assert_eq(fake.n_calls, 1);
}

FAKE_ANSWER(odd_tails_are_wrong) {
    fake_sum(function, args, n_args, result);
    *(int32_t *)args[2].data += args[0].count % 256 == 1 && args[0].count > 1;
}

static void sweep_one_size(struct lab *lab) {
    static const size_t size[] = {(1 << 16) + 1};
    static const unsigned block[] = {256};

    lab_sweep(lab, size, 1, block, 1, fake_sum_case);
}

Test(sweep, finds_small_sizes_that_fail_where_larger_ones_pass) {
    fake.answer = odd_tails_are_wrong;
    json_t *document = fake_perform("edge", sweep_one_size);
    cr_assert_eq(case_n(document), 257);
}

static void skip_small(struct lab *lab, const struct lab_case *c) {
    if (c->n < 500)
        lab_skip(lab, "Not here.");
    fake_sum_case(lab, c);
}

static void sum_above_skipped(struct lab *lab) {
    lab_one_above(lab, 1000, 499, 32, skip_small);
}

static void sum_above(struct lab *lab) {
    lab_one_above(lab, 1000, 499, 32, fake_sum_case);
}

Test(sweep, tells_of_the_smaller_of_two_cases_that_fail) {
    fake.wrong_from = 10;
    cr_expect_eq(case_n(fake_perform("edge", sum_above)), 499);
    fake.wrong_from = 600;
    cr_expect_eq(case_n(fake_perform("edge", sum_above)), 1000);
}

Test(sweep, skips_no_failure_where_a_smaller_case_is_skipped) {
    fake.wrong_from = 600;
    json_t *document = fake_perform("edge", sum_above_skipped);
    fake_expect(document, "verdict", "wrong_answer");
    cr_expect_eq(case_n(document), 1000);
}

static uint64_t seed_seen;

static void remember_seed(struct lab *lab, const struct lab_case *c) {
    seed_seen = c->seed;
    fake_sum_case(lab, c);
}

static void sweep_seeds(struct lab *lab) {
    lab_sweep(lab, sizes, 5, blocks, 2, remember_seed);
}

Test(sweep, runs_only_the_case_that_was_asked_for) {
    struct lab_settings settings = fake_settings();

    fake.wrong_from = 5;
    cr_assert(lab_settings_case(&settings, "n=7,block=64,seed=00000000000000ff"));
    json_t *document = fake_perform_with(&settings, "edge", sweep_seeds);
    cr_assert_eq(fake.n_calls, 2, "once more for what nobody has read");
    cr_assert_eq(case_n(document), 7);
    cr_assert_eq(seed_seen, 0xff);
}

static void two_cases(struct lab *lab) {
    lab_one(lab, 3, 32, fake_sum_case);
    lab_one(lab, 4, 32, fake_sum_case);
}

Test(sweep, stops_at_the_first_failing_case) {
    fake.wrong_from = 3;
    json_t *document = fake_perform("example", two_cases);
    cr_assert_eq(fake.n_calls, 2, "the first one, and once more for its data");
    cr_assert_eq(case_n(document), 3);
}

/* sum is right below 1000 elements, and sum_again nobody has written. */
FAKE_ANSWER(half_is_written) {
    fake_sum("sum", args, n_args, result);
    if (strcmp(function, "sum_again") == 0)
        result->outcome = CALL_NOT_WRITTEN;
}

static void sum_twice(struct lab *lab, const struct lab_case *c) {
    int32_t *in = lab_random_i32(lab, c->n), sum, again, right = 0;

    for (size_t i = 0; i < c->n; i++)
        right += in[i];
    if (lab_call(lab, "sum", lab_in("in", in, c->n, 4), lab_size(c->n),
                 lab_out("sum", &sum, 1, 4)) &&
        lab_expect_i32(lab, "sum", &sum, &right, 1))
        lab_call(lab, "sum_again", lab_in("in", in, c->n, 4), lab_size(c->n),
                 lab_out("sum", &again, 1, 4));
}

static void sweep_twice(struct lab *lab) {
    lab_sweep(lab, sizes, 5, blocks, 2, sum_twice);
}

Test(sweep, tells_a_failure_though_another_part_is_not_written) {
    fake.answer = half_is_written;
    fake.wrong_from = 1000;
    json_t *document = fake_judge("edge", sweep_twice, "wrong_answer");
    cr_assert_eq(case_n(document), 1000);
}

Test(sweep, says_that_a_part_is_not_written_where_nothing_fails) {
    fake.answer = half_is_written;
    json_t *document = fake_judge("edge", sweep_twice, "not_written");
    fake_expect_reason(document, "sum_again is not written yet");
}

static void sum_again_case(struct lab *lab, const struct lab_case *c) {
    int32_t sum;

    lab_call(lab, "sum_again", lab_in("in", lab_random_i32(lab, c->n), c->n, 4), lab_size(c->n),
             lab_out("sum", &sum, 1, 4));
}

static void sweep_again_alone(struct lab *lab) {
    lab_sweep(lab, sizes, 5, blocks, 2, sum_again_case);
    lab_one(lab, 1000, 32, fake_sum_case);
}

Test(sweep, asks_once_for_what_is_not_written_and_goes_on_with_the_rest) {
    fake.answer = half_is_written;
    fake.wrong_from = 1000;
    json_t *document = fake_perform("edge", sweep_again_alone);
    cr_assert_eq(fake.n_calls, 4, "once more for what nobody has read, and with small numbers");
    fake_expect(document, "verdict", "wrong_answer");
}

static const unsigned small_blocks[] = {2, 8};

static void sum_in_small_blocks(struct lab *lab, const struct lab_case *c) {
    lab_set_small_blocks(lab, small_blocks, 2);
    fake_sum_case(lab, c);
}

static void sweep_in_small_blocks(struct lab *lab) {
    lab_sweep(lab, sizes, 5, blocks, 2, sum_in_small_blocks);
}

Test(sweep, looks_for_a_small_block_too) {
    fake.wrong_from = 6;
    json_t *document = fake_perform("edge", sweep_in_small_blocks);
    cr_assert_eq(case_n(document), 8, "a full block of 8 shows more than 6 of 32");
    cr_assert_eq(json_integer_value(json_object_get(json_object_get(document, "case"), "block")),
                 8);
    fake.wrong_from = 5;
    document = fake_perform("edge", sweep_in_small_blocks);
    cr_assert_eq(case_n(document), 5);
    cr_assert_eq(json_integer_value(json_object_get(json_object_get(document, "case"), "block")),
                 2);
}

/* Sums floats, which hold 24 bits of each number. */
static void sum_floats(const char *function, struct call_arg *args, size_t n_args,
                       struct call_result *result) {
    const int32_t *in = args[0].data;
    uint32_t sum = 0;

    (void)function, (void)n_args, (void)result;
    for (size_t i = 0; i < args[0].count; i++)
        sum += (uint32_t)(int64_t)(float)in[i];
    *(int32_t *)args[2].data = (int32_t)sum;
}

/* Of many numbers, right of the first small ones alone. */
static void sum_by_chance(const char *function, struct call_arg *args, size_t n_args,
                          struct call_result *result) {
    static bool was_right;
    const int32_t *in = args[0].data;
    const bool are_many = args[0].count >= 500;
    bool is_small = are_many;

    for (size_t i = 0; i < args[0].count; i++)
        is_small &= in[i] >= -64 && in[i] < 64;
    fake_sum(function, args, n_args, result);
    *(int32_t *)args[2].data += are_many && (!is_small || was_right);
    was_right |= is_small;
}

Test(sweep, asks_small_numbers_more_than_once) {
    json_t *document;

    fake.answer = sum_by_chance;
    document = fake_perform("edge", sweep_sums);
    fake_expect(document, "verdict", "wrong_answer");
    fake_expect(document, "diagnosis", NULL);
}

Test(sweep, says_that_large_numbers_alone_are_wrong) {
    json_t *document;

    fake.answer = sum_floats;
    document = fake_perform("edge", sweep_sums);
    fake_expect(document, "verdict", "wrong_answer");
    fake_expect(document, "diagnosis", "too_few_bits");
    fake_expect_reason(document, "With numbers of 6 bits the same call is right.");
    fake.answer = fake_sum;
    fake.wrong_from = 500;
    document = fake_perform("edge", sweep_sums);
    fake_expect(document, "diagnosis", NULL);
}

/* Calls nothing once something has failed. */
static void sum_unless_failed(struct lab *lab, const struct lab_case *c) {
    if (!lab_failed(lab))
        fake_sum_case(lab, c);
}

static void sweep_unless_failed(struct lab *lab) {
    lab_sweep(lab, sizes, 5, blocks, 2, sum_unless_failed);
}

Test(sweep, does_not_take_small_numbers_for_right_that_nobody_compared) {
    fake.wrong_from = 500;
    json_t *document = fake_perform("edge", sweep_unless_failed);
    fake_expect(document, "verdict", "wrong_answer");
    fake_expect(document, "diagnosis", NULL);
}
