/* What the diagnoses stand on: which mistake is told of which result, and which of none; and the
 * reference, against what is known of it in other ways. */
#include <math.h>

#include "common/harness/tests/fake_call.h"
#include "labs/09-operators-and-locks/tests/operators.h"

static const float *floats;
static const double *doubles;
static struct largest answer;
static double mean, deviation;

FAKE_ANSWER(answers) {
    if (n_args == 5 && args[4].element_bytes == sizeof answer)
        *(struct largest *)args[4].data = answer;
    else if (n_args == 5)
        *(float *)args[4].data = (float)answer.value;
}

FAKE_ANSWER(answers_moments) {
    *(double *)args[4].data = mean;
    *(double *)args[5].data = deviation;
}

static void max_of_them(struct lab *lab, const struct lab_case *c) {
    extreme_of(lab, "max_of", floats, c);
}

static void largest_of_them(struct lab *lab, const struct lab_case *c) {
    largest_of(lab, floats, c);
}

static void three_for_max(struct lab *lab) {
    lab_one(lab, 3, 32, max_of_them);
}

static void three_for_argmax(struct lab *lab) {
    lab_one(lab, 3, 32, largest_of_them);
}

static void expect_extreme(const float in[3], float got, const char *id) {
    floats = in;
    answer.value = (double)got;
    fake.answer = answers;
    fake_expect(fake_perform("edge", three_for_max), "diagnosis", id);
}

static void expect_index(const float in[3], size_t got, const char *id) {
    floats = in;
    answer = (struct largest){got < 3 ? (double)in[got] : 0, got};
    fake.answer = answers;
    fake_expect(fake_perform("edge", three_for_argmax), "diagnosis", id);
}

Test(diagnosis, knows_the_identity_of_another_operator) {
    expect_extreme((float[]){-3, -1, -2}, 0, "other_identity");
    expect_extreme((float[]){-3, -1, -2}, -2, NULL); /* the max is not found at all */
    expect_extreme((float[]){-3, 0, 2}, 0, NULL);
}

Test(diagnosis, knows_a_nan_that_was_passed_over) {
    expect_extreme((float[]){-3, NAN, -2}, -2, "nan_passed_over");
    expect_extreme((float[]){-3, NAN, -2}, -3, NULL);
    expect_index((float[]){-3, NAN, -2}, 2, "nan_passed_over");
    expect_index((float[]){-3, NAN, NAN}, 2, "nan_not_first");
    expect_index((float[]){NAN, NAN, NAN}, 2, "nan_not_first");
}

/* The result is that of no element, whichever place that has. */
Test(diagnosis, knows_an_identity_that_wins_against_nan) {
    floats = (float[]){NAN, NAN, NAN};
    fake.answer = answers;
    answer = (struct largest){-INFINITY, NO_INDEX};
    fake_expect(fake_perform("edge", three_for_argmax), "diagnosis", "nan_passed_over");
    answer = (struct largest){-INFINITY, 0};
    fake_expect(fake_perform("edge", three_for_argmax), "diagnosis", "nan_passed_over");
    answer = (struct largest){-INFINITY, 7};
    fake_expect(fake_perform("edge", three_for_argmax), "diagnosis", NULL);
}

Test(diagnosis, knows_who_wins_a_tie) {
    expect_index((float[]){5, 1, 5}, 2, "tie_to_the_larger_index");
    expect_index((float[]){5, 1, 5}, 1, NULL);
}

static void their_moments(struct lab *lab, const struct lab_case *c) {
    double got[2] = {NAN, NAN}, right[2];
    struct call_arg args[OPERATORS_MAX_ARGS];
    size_t n_args = moments_args(args, lab_in("in", doubles, c->n, sizeof *doubles), c->block, got);

    moments_reference(doubles, c->n, right);
    lab_set_diagnoser(lab, operators_diagnose);
    if (lab_call_args(lab, "mean_deviation", args, n_args) &&
        lab_expect_f64(lab, "mean", &got[0], &right[0], 0, 1))
        lab_expect_f64(lab, "deviation", &got[1], &right[1], 0, 1);
}

static void four_for_moments(struct lab *lab) {
    lab_one(lab, 4, 32, their_moments);
}

static void none_for_moments(struct lab *lab) {
    lab_one(lab, 0, 32, their_moments);
}

Test(diagnosis, knows_the_deviation_of_nothing) {
    doubles = (double[]){0};
    mean = 0;
    deviation = NAN;
    fake.answer = answers_moments;
    fake_expect(fake_perform("edge", none_for_moments), "diagnosis", "deviation_of_nothing");
    mean = 1;
    fake_expect(fake_perform("edge", none_for_moments), "diagnosis", NULL);
}

static void expect_moments(const double in[4], double got_mean, double got, const char *id) {
    doubles = in;
    mean = got_mean;
    deviation = got;
    fake.answer = answers_moments;
    fake_expect(fake_perform("edge", four_for_moments), "diagnosis", id);
}

/* Mean 5, squared distances 9, 1, 1, 9: their mean is 5. */
Test(diagnosis, tells_deviations_from_each_other) {
    static const double in[] = {2, 4, 6, 8};

    expect_moments(in, 5, sqrt(20.0 / 3), "divides_by_n_minus_1");
    expect_moments(in, 5, 5, "no_root");
    expect_moments(in, 5, 3, NULL);
    expect_moments(in, 5, (double)sqrtf(5), "float_precision");
    expect_moments((double[]){2 + 0x1p30, 4 + 0x1p30, 6 + 0x1p30, 8 + 0x1p30}, 5 + 0x1p30, 0,
                   "cancellation");
}

Test(reference, is_what_can_be_done_by_hand) {
    double right[2];

    moments_reference((double[]){2, 4, 6, 8}, 4, right);
    cr_assert_float_eq(right[0], 5, 0);
    cr_assert_float_eq(right[1], sqrt(5), 0);
    cr_assert_eq(largest_reference((float[]){1, NAN, 7, NAN}, 4).index, 1);
    cr_assert_eq(largest_reference(NULL, 0).index, NO_INDEX);
    cr_assert(isnan(extreme_reference(true, (float[]){1, NAN, 0}, 3)));
}

/* One pass by sums of squares loses 2^60 / 2^53 of the variance at 2^30: far more than is allowed.
 */
Test(reference, allows_less_than_what_tells_the_ways_apart) {
    struct moments_bound bound = moments_bound(5000, 0x1p30 + 128, 74, 0x1p-53);

    cr_assert_lt(bound.mean, 0.01);
    cr_assert_lt(bound.deviation, 0.01);
}
