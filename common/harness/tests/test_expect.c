/* Mismatches: the first one, with everything that is known about it; and the known mistake. */
#include <math.h>
#include <string.h>

#include "common/harness/tests/fake_call.h"

static void compare(struct lab *lab, const struct lab_case *c) {
    static const int32_t got[] = {1, -2, 3, 4}, expected[] = {1, -2, -3, -4};

    (void)c;
    lab->function = "sum";
    lab_expect_i32(lab, "sums", got, expected, 4);
    lab_fail(lab, "crash", "A second failure of the same case is not the one to report.");
}

static struct lab_owner own(const struct lab *lab, const char *what, size_t index) {
    (void)lab;
    cr_assert_str_eq(what, "sums");
    return (struct lab_owner){.launch = 0, .block = (int64_t)index, .thread = -1};
}

static void body(struct lab *lab) {
    lab_set_owner(lab, own);
    lab_one(lab, 4, 32, compare);
}

Test(expect, notes_the_first_mismatch_and_who_owns_it) {
    json_t *document = fake_perform("edge", body);
    json_t *mismatch = json_object_get(document, "mismatch");

    fake_expect(document, "verdict", "wrong_answer");
    fake_expect(document, "reason", "sum (n = 4, block = 32) gave sums[2] = 3; it must be -3.");
    fake_expect(mismatch, "what", "sums");
    fake_expect(mismatch, "expected", "-3");
    fake_expect(mismatch, "got", "3");
    cr_assert_eq(json_integer_value(json_object_get(mismatch, "index")), 2);
    cr_assert_eq(json_integer_value(json_object_get(mismatch, "block")), 2);
    cr_assert_eq(json_integer_value(json_object_get(mismatch, "launch")), 0);
    fake_expect(mismatch, "thread", NULL);
}

/* The outputs are those of the call. */
static void compare_outputs(struct lab *lab, const struct lab_case *c) {
    static const int32_t expected[4] = {0};
    int32_t in[4] = {1, 2, 3, 4}, sums[4] = {0, 0, 10, 0};

    (void)c;
    lab_call(lab, "sum", lab_in("in", in, 4, sizeof *in), lab_size(4),
             lab_out("sums", sums, 4, sizeof *sums));
    sums[0] = 0;
    sums[2] = 10;
    lab_expect_i32(lab, "sums", sums, expected, 4);
}

static void outputs_body(struct lab *lab) {
    lab_one(lab, 4, 32, compare_outputs);
}

Test(expect, says_who_stored_the_element) {
    fake.writer = CALL_WRITER_KERNEL;
    json_t *mismatch = json_object_get(fake_perform("edge", outputs_body), "mismatch");
    json_t *stored = json_object_get(mismatch, "stored");

    fake_expect(stored, "kernel", "sum");
    fake_expect(stored, "who", "a thread");
    cr_expect_eq(json_integer_value(json_object_get(stored, "line")), 208);
    fake.writer = CALL_WRITER_UNKNOWN;
    mismatch = json_object_get(fake_perform("edge", outputs_body), "mismatch");
    fake_expect(mismatch, "stored", NULL);
    fake_expect(mismatch, "got", "10");
}

Test(expect, says_that_nobody_stored_the_element) {
    fake.writer = CALL_WRITER_NOBODY;
    json_t *document = fake_perform("edge", outputs_body);

    fake_expect(json_object_get(document, "mismatch"), "got", "nothing");
    fake_expect(document, "reason",
                "sum (n = 4, block = 32) returned cudaSuccess, but nothing wrote sums[2]; it must "
                "be 0.");
}

static void compare_unsigned(struct lab *lab, const struct lab_case *c) {
    lab_set_elements(lab, LAB_UNSIGNED);
    compare(lab, c);
}

static void unsigned_body(struct lab *lab) {
    lab_one(lab, 4, 32, compare_unsigned);
}

Test(expect, tells_unsigned_words_without_a_sign) {
    json_t *mismatch = json_object_get(fake_perform("edge", unsigned_body), "mismatch");

    fake_expect(mismatch, "expected", "4294967293");
    fake_expect(mismatch, "got", "3");
}

static double double_got;

static void compare_double(struct lab *lab, const struct lab_case *c) {
    static const double expected = 2;

    (void)c;
    lab->function = "pi";
    lab_expect_f64(lab, "pi", &double_got, &expected, 0.25, 1);
}

static void one_double(struct lab *lab) {
    lab_one(lab, 4, 32, compare_double);
}

static void expect_double(double got, const char *verdict) {
    double_got = got;
    json_t *document = fake_perform("edge", one_double);
    fake_expect(document, "verdict", verdict);
}

Test(expect, lets_doubles_be_off_by_the_bound_and_no_more) {
    expect_double(1.75, "pass");
    expect_double(2.25, "pass");
    expect_double(2.2500001, "wrong_answer");
    expect_double(1.7499999, "wrong_answer");
}

Test(expect, takes_no_nan_for_right) {
    expect_double(NAN, "wrong_answer");
    expect_double(INFINITY, "wrong_answer");
}

/* 0 / 0 has another sign here than on a GPU, and it says nothing. */
Test(expect, shows_no_sign_of_a_nan) {
    double_got = -NAN;
    json_t *document = fake_perform("edge", one_double);
    fake_expect(document, "reason",
                "pi (n = 4, block = 32) gave pi[0] = nan; it must be 2, give or take 0.25.");
}

Test(expect, says_how_far_off_a_double_may_be) {
    double_got = 3;
    json_t *document = fake_perform("edge", one_double);
    fake_expect(document, "reason",
                "pi (n = 4, block = 32) gave pi[0] = 3; it must be 2, give or take 0.25.");
}

FAKE_ANSWER(write_nothing) {
    *(int32_t *)args[2].data = 0x5a5a5a5a;
    result->untouched = 1u << 2;
}

static void one_sum(struct lab *lab) {
    lab_one(lab, 4, 32, fake_sum_case);
}

Test(expect, says_so_where_nothing_was_written) {
    fake.answer = write_nothing;
    json_t *document = fake_judge("edge", one_sum, "wrong_answer");
    fake_expect(json_object_get(document, "mismatch"), "got", "nothing");
    fake_expect_reason(document, "nothing wrote sum[0]");
}

/* Looks at what came out, as a lab does. */
static void diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const struct call_arg *in = lab_argument(lab, "in"), *sum = lab_argument(lab, "sum");

    cr_assert_str_eq(verdict, "wrong_answer");
    cr_assert_eq(in->count, c->n);
    cr_assert_null(lab_argument(lab, "other"));
    if (*(const int32_t *)sum->data == 0x5a5a5a5a)
        lab_diagnose(lab, "first");
    lab_diagnose(lab, "second");
}

static void diagnosed_sum(struct lab *lab) {
    lab_set_diagnoser(lab, diagnose);
    lab_one(lab, 4, 32, fake_sum_case);
}

Test(expect, keeps_the_first_diagnosis) {
    fake.answer = write_nothing;
    json_t *document = fake_perform("edge", diagnosed_sum);
    fake_expect(document, "diagnosis", "first");
}

Test(expect, asks_for_no_diagnosis_of_what_is_right) {
    json_t *document = fake_judge("edge", diagnosed_sum, "pass");
    fake_expect(document, "diagnosis", NULL);
    fake_expect(document, "mismatch", NULL);
}

static struct lab_owner own_by_second_launch(const struct lab *lab, const char *what,
                                             size_t index) {
    (void)lab, (void)what, (void)index;
    return (struct lab_owner){.launch = 1, .block = 0, .thread = 0};
}

static void sum_by_second_launch(struct lab *lab) {
    lab_set_owner(lab, own_by_second_launch);
    lab_one(lab, 500, 32, fake_sum_case);
}

static void expect_launch(const char *report, json_int_t launch) {
    fake.report = report;
    fake.wrong_from = 1;
    json_t *document = fake_perform("edge", sum_by_second_launch);
    json_t *got = json_object_get(json_object_get(document, "mismatch"), "launch");
    cr_expect_eq(json_is_integer(got) ? json_integer_value(got) : -1, launch);
}

Test(expect, names_no_owner_that_did_not_run) {
#define LAUNCH "{\"grid\": [1, 1, 1], \"block\": [32, 1, 1]}"
    expect_launch("{\"launches\": [" LAUNCH ", " LAUNCH "], \"findings\": []}", 1);
    expect_launch("{\"launches\": [" LAUNCH "], \"findings\": []}", -1);
    expect_launch(NULL, 1);
#undef LAUNCH
}

/* -- Outputs that are compared as they come back -- */

enum { MADE = (LAB_PIECE << 2) + 100 };

static void make_squares(const void *context, size_t first, size_t count, int32_t *to) {
    (void)context;
    for (size_t i = 0; i < count; i++)
        to[i] = (int32_t)((uint32_t)(first + i) * (uint32_t)(first + i));
}

static size_t wrong_at[2] = {SIZE_MAX, SIZE_MAX}, n_given = MADE;

/* What a call left, the last part first. */
FAKE_ANSWER(give_squares) {
    enum { PART = CALL_TAKE_BYTES / sizeof(int32_t) };
    int32_t *part = malloc(CALL_TAKE_BYTES);

    for (size_t first = MADE - MADE % PART;; first -= PART) {
        size_t n = first < n_given ? n_given - first : 0;

        n = n < PART ? n : PART;
        make_squares(NULL, first, n, part);
        for (size_t i = 0; i < 2; i++)
            if (wrong_at[i] - first < n)
                part[wrong_at[i] - first] = -7;
        args[0].take(args[0].taker, first, n, part);
        if (first == 0)
            break;
    }
    free(part);
}

static void expect_squares(struct lab *lab) {
    struct lab_made made = {.make = make_squares, .n = MADE};

    fake.answer = give_squares;
    if (lab_call(lab, "squares", lab_out_made("out", &made)))
        lab_expect_made(lab, "out", &made);
}

Test(expect, compares_what_comes_back_in_parts) {
    fake_judge("edge", expect_squares, "pass");
}

Test(expect, names_the_first_wrong_element_of_all_parts) {
    wrong_at[0] = MADE - 1;
    wrong_at[1] = LAB_PIECE + 3;
    json_t *document = fake_judge("edge", expect_squares, "wrong_answer");
    fake_expect_reason(document, "out[262147] = -7");
    wrong_at[1] = SIZE_MAX;
    document = fake_judge("edge", expect_squares, "wrong_answer");
    fake_expect_reason(document, "out[1048675] = -7");
}

static void expect_floats(struct lab *lab) {
    lab_set_elements(lab, LAB_FLOATS);
    expect_squares(lab);
}

/* The bits of -7 are those of no number. */
Test(expect, names_a_wrong_float_as_one) {
    wrong_at[0] = LAB_PIECE + 3;
    json_t *document = fake_judge("edge", expect_floats, "wrong_answer");
    fake_expect_reason(document, "out[262147] = nan");
}

Test(expect, misses_what_did_not_come_back) {
    n_given = MADE - 1;
    fake_judge("edge", expect_squares, "infrastructure");
}
