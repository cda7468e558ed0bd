/* Calls of which a sample of the blocks runs: which sample, what is made of how they end, and what
 * counts as alike. */
#include <math.h>
#include <string.h>

#include "common/harness/tests/fake_call.h"

enum { N_CALLS = 4 };
static const size_t n_large = ((size_t)1 << 33) + 1001;
static const size_t step = CALL_SPARSE_STEP;

/* What the fake was given, call by call. */
static struct simt_sample samples[N_CALLS];
static struct call_arg seen[3];

FAKE_ANSWER(look) {
    cr_assert_leq(fake.n_calls, N_CALLS);
    samples[fake.n_calls - 1] = fake.conditions.sample;
    cr_assert_eq(n_args, 3);
    memcpy(seen, args, sizeof seen);
}

static bool call_sampled(struct lab *lab, size_t n) {
    struct call_arg args[] = {lab_in_set("in", 7, step, 2 * step, n),
                              lab_scratch_sparse("scratch", n / 2, sizeof(int32_t)),
                              lab_out_sparse("out", n, sizeof(int32_t))};

    return lab_call_sampled(lab, "scan", args, 3);
}

static void one_call(struct lab *lab, const struct lab_case *c) {
    call_sampled(lab, c->n);
}

static void one_case(struct lab *lab) {
    lab_one(lab, n_large, 512, one_call);
}

/* --- what is called */

Test(sample, describes_buffers_of_which_little_is_touched) {
    fake.answer = look;
    fake_judge("edge", one_case, "pass");
    for (int i = 0; i < 3; i++)
        cr_expect(seen[i].sparse.is_on && seen[i].element_bytes == 4, "argument %d", i);
    cr_expect_eq(seen[0].kind, CALL_ARG_IN);
    cr_expect_eq(seen[1].kind, CALL_ARG_SCRATCH);
    cr_expect_eq(seen[2].kind, CALL_ARG_OUT);
    cr_expect_eq(seen[0].sparse.bits, 7);
    cr_expect_eq(seen[0].sparse.first, step);
    cr_expect_eq(seen[0].sparse.count, 2 * step);
    cr_expect_eq(seen[1].sparse.count + seen[2].sparse.count, 0);
}

static size_t places[LAB_PLACES];

static void sampled_twice_and_whole(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[] = {lab_in_set("in", 7, 0, step, c->n), lab_size(c->n),
                              lab_out_sparse("out", c->n, sizeof(int32_t))};

    call_sampled(lab, c->n);
    call_sampled(lab, c->n);
    lab_sampled_places(lab, c->n, places);
    lab_call_args(lab, "scan", args, 3);
}

static void three_calls(struct lab *lab) {
    lab_one(lab, n_large, 512, sampled_twice_and_whole);
}

Test(sample, is_the_same_at_each_call_of_a_case_and_no_later_one_s) {
    fake.answer = look;
    fake_judge("edge", three_calls, "pass");
    cr_assert_eq(fake.n_calls, 3);
    cr_expect_eq(samples[0].n, SIMT_SAMPLE_PLACES);
    cr_expect_gt(samples[0].budget, 0);
    cr_expect_gt(samples[0].bytes, 0);
    cr_expect_eq(memcmp(&samples[0], &samples[1], sizeof samples[0]), 0);
    cr_expect_eq(samples[2].n, 0, "all blocks run again");
}

static void two_cases(struct lab *lab) {
    lab_one(lab, n_large, 512, one_call);
    lab_one(lab, n_large + 1, 512, one_call);
}

Test(sample, is_another_one_for_each_case) {
    fake.answer = look;
    fake_judge("edge", two_cases, "pass");
    cr_expect_neq(memcmp(samples[0].at, samples[1].at, sizeof samples[0].at), 0);
}

/* One place in each sixteenth of the way to the middle, and one as far from the end. */
Test(sample, has_places_all_along_the_way) {
    const size_t part = n_large / 2 / SIMT_SAMPLE_PLACES;

    fake.answer = look;
    fake_judge("edge", three_calls, "pass");
    for (size_t i = 0; i < SIMT_SAMPLE_PLACES; i++) {
        cr_expect_eq(places[2 * i] + places[2 * i + 1], n_large - 1);
        cr_expect_geq(places[2 * i] + 1, i * part, "place %zu", i);
        cr_expect_leq(places[2 * i], (i + 1) * part, "place %zu", i);
        cr_expect_eq(places[2 * i], (size_t)((double)n_large / 2 * samples[0].at[i] / 0x1p32));
    }
}

/* --- how it ended */

static char report[512];
static bool has_come_back;

static void note_end(struct lab *lab, const struct lab_case *c) {
    has_come_back = call_sampled(lab, c->n);
}

static void one_end(struct lab *lab) {
    lab_one(lab, n_large, 512, note_end);
}

/* A call that ends so, with a finding of this kind, or without one. */
static json_t *end_as(enum call_outcome outcome, const char *kind, const char *verdict) {
    const char *finding =
        "{\"launches\": [], \"findings\": [{\"kind\": \"%s\", \"message\": \"m\"}]}";

    snprintf(report, sizeof report, finding, kind ? kind : "");
    fake.answer = look;
    fake.outcome = outcome;
    fake.report = kind ? report : NULL;
    fake.n_calls = 0;
    return fake_judge("edge", one_end, verdict);
}

Test(sample, stands_for_nothing_where_blocks_wait_for_those_that_do_not_run) {
    fake_expect_reason(end_as(CALL_CUDA_ERROR, "deadlock", "skipped"), "A GPU runs all.");
    cr_expect(!has_come_back);
}

Test(sample, stands_for_nothing_where_a_block_has_too_much_to_do) {
    end_as(CALL_TIMEOUT, "endless", "skipped");
    end_as(CALL_TIMEOUT, "costly", "skipped");
    end_as(CALL_TIMEOUT, "late", "skipped");
    end_as(CALL_TIMEOUT, NULL, "skipped");
    end_as(CALL_OUT_OF_MEMORY, NULL, "skipped");
}

static void note_end_of_sharing(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[] = {lab_in_set("in", 7, step, 2 * step, c->n), lab_size(c->n),
                              lab_out("out", &(int32_t){0}, 1, sizeof(int32_t))};

    has_come_back = lab_call_sharing(lab, "sum", args, 3, c->n);
}

static void one_end_of_sharing(struct lab *lab) {
    lab_one(lab, n_large, 512, note_end_of_sharing);
}

/* 2^20 threads, of which the first block is stopped after so many instructions a thread. */
static void end_sharing(const char *kind, unsigned instructions, const char *verdict) {
    static const char format[] =
        "{\"launches\": [{\"grid\": [1024, 1, 1], \"block\": [1024, 1, 1], "
        "\"shared_bytes\": 0, \"counters\": {\"thread_instructions\": %u}, \"lines\": []}], "
        "\"findings\": [{\"kind\": \"%s\", \"message\": \"m\"}]}";

    snprintf(report, sizeof report, format, 1024 * instructions, kind);
    fake.answer = look;
    fake.outcome = CALL_TIMEOUT;
    fake.report = report;
    fake_judge("edge", one_end_of_sharing, verdict);
    cr_expect(!has_come_back);
}

/* A thread's share is 8,192 elements. */
Test(sample, knows_a_block_that_goes_on_and_on_behind_its_share) {
    end_sharing("endless", 8192 * 110, "timeout");
    end_sharing("endless", 8192 * 90, "skipped");
    end_sharing("costly", 8192 * 110, "skipped");
    end_sharing("late", 8192 * 110, "skipped");
}

/* A busy machine is none of the student's doing. */
Test(sample, runs_again_what_the_clock_stopped) {
    fake.is_first_try = true;
    fake_expect_reason(end_as(CALL_TIMEOUT, "late", "infrastructure"), "run again");
    end_as(CALL_TIMEOUT, NULL, "infrastructure");
    end_as(CALL_TIMEOUT, "costly", "skipped");
}

Test(sample, finds_what_a_block_does_wrong_by_itself) {
    end_as(CALL_CUDA_ERROR, "out_of_bounds", "finding");
    end_as(CALL_OUT_OF_MEMORY, "out_of_bounds", "finding");
    end_as(CALL_CUDA_ERROR, NULL, "cuda_error");
    end_as(CALL_CRASH, NULL, "crash");
    cr_expect(!has_come_back);
    end_as(CALL_OK, NULL, "pass");
    cr_expect(has_come_back);
}

static void fail_first(struct lab *lab, const struct lab_case *c) {
    lab_fail(lab, "wrong_answer", "It was wrong before.");
    cr_expect(!call_sampled(lab, c->n));
}

static void failed_before(struct lab *lab) {
    lab_one(lab, n_large, 512, fail_first);
}

Test(sample, is_not_called_for_once_a_case_has_failed) {
    fake.answer = look;
    fake_judge("edge", failed_before, "wrong_answer");
    cr_expect_eq(fake.n_calls, 0);
}

/* --- arrays for which the device has no memory */

static int returned;

FAKE_ANSWER(return_it) {
    cr_assert(args[0].kind == CALL_ARG_HOST_IN && args[1].kind == CALL_ARG_HOST_OUT);
    cr_expect(args[0].sparse.is_on && args[1].sparse.is_on);
    result->returned = returned;
}

static void call_beyond(struct lab *lab, const struct lab_case *c) {
    struct call_arg args[] = {lab_host_in_sparse("in", c->n, sizeof(int32_t)),
                              lab_host_out_sparse("out", c->n, sizeof(int32_t))};

    has_come_back = lab_call_beyond_memory(lab, "scan", "so much", args, 2);
}

static void one_beyond(struct lab *lab) {
    lab_one(lab, n_large, 512, call_beyond);
}

static json_t *end_beyond(enum call_outcome outcome, int value, const char *kind,
                          const char *verdict) {
    returned = value;
    end_as(CALL_OK, kind, kind ? "finding" : "pass");
    fake.answer = return_it;
    fake.outcome = outcome;
    return fake_judge("edge", one_beyond, verdict);
}

Test(sample, wants_an_error_where_there_is_no_memory) {
    end_beyond(CALL_CUDA_ERROR, 2, NULL, "pass");
    cr_expect(has_come_back);
    end_beyond(CALL_OUT_OF_MEMORY, 2, NULL, "pass");
    fake_expect_reason(end_beyond(CALL_OK, 0, NULL, "cuda_error"), "no memory for so much");
    cr_expect(!has_come_back);
    end_beyond(CALL_CUDA_ERROR, 700, "out_of_bounds", "finding");
}

Test(sample, leaves_alone_who_goes_on_in_pieces) {
    end_beyond(CALL_TIMEOUT, 0, NULL, "skipped");
    end_beyond(CALL_OUT_OF_MEMORY, 0, NULL, "skipped");
    end_beyond(CALL_CRASH, 0, NULL, "skipped");
}

/* --- what is alike */

static struct lab_shares shares;

static void compare(struct lab *lab, const struct lab_case *c) {
    call_sampled(lab, c->n);
    lab_expect_alike(lab, &shares);
}

static void one_comparison(struct lab *lab) {
    lab_one(lab, n_large, 512, compare);
}

static json_t *expect_alike(double first, double last, const char *verdict) {
    shares = (struct lab_shares){.what = "the sum is",
                                 .of_first = "where the first are 1",
                                 .of_last = "where the last are 1",
                                 .first = first,
                                 .last = last,
                                 .least = 256};
    fake.answer = look;
    fake.n_calls = 0;
    return fake_judge("edge", one_comparison, verdict);
}

Test(sample, shares_may_differ_by_a_half_and_no_more) {
    expect_alike(1000, 1000, "pass");
    expect_alike(1000, 500, "pass");
    expect_alike(500, 1000, "pass");
    expect_alike(1000, 499, "wrong_answer");
    expect_alike(499, 1000, "wrong_answer");
    expect_alike(256, 0, "wrong_answer");
    expect_alike(-1000, 1000, "wrong_answer");
    fake_expect_reason(expect_alike(1000, 0, "wrong_answer"),
                       "scan (n = 8589935593, block = 512), of which a sample of the blocks was "
                       "run: the sum is 1000 where the first are 1, and 0 where the last are 1.");
}

Test(sample, too_little_of_both_says_nothing) {
    fake_expect_reason(expect_alike(255, 255, "skipped"), "does not reach the result");
    expect_alike(0, 0, "skipped");
    expect_alike(-1000, -1000, "skipped");
}

Test(sample, takes_no_nan_for_alike) {
    expect_alike(NAN, 1000, "wrong_answer");
    expect_alike(1000, NAN, "wrong_answer");
    expect_alike(NAN, 10, "wrong_answer");
    expect_alike(NAN, NAN, "wrong_answer");
    expect_alike(INFINITY, INFINITY, "wrong_answer");
}
