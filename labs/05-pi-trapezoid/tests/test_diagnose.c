/* The diagnoses that need no simulator: a wrong value is known by what it comes to. Each answer
 * here makes one mistake, in plain C, in place of a worker. */
#include <math.h>
#include <signal.h>
#include <sys/mman.h>

#include "common/harness/tests/fake_call.h"
#include "labs/05-pi-trapezoid/tests/pi_case.h"

static size_t case_n;

static void one_value(struct lab *lab) {
    lab_one(lab, case_n, 32, pi_case);
}

static void expect_diagnosis(size_t n, fake_answer *answer, const char *id) {
    case_n = n;
    fake.answer = answer;
    json_t *document = fake_perform("edge", one_value);
    fake_expect(document, "diagnosis", id);
}

#define ANSWER(name, stored)                                                                       \
    static void name(const char *function, struct call_arg *args, size_t n_args,                   \
                     struct call_result *result) {                                                 \
        double n = (double)args[0].value.u64, right = rule_pi(args[0].value.u64);                  \
                                                                                                   \
        (void)function, (void)n_args, (void)result, (void)n, (void)right;                          \
        *(double *)args[4].data = stored;                                                          \
    }

ANSWER(right_value, right)
ANSWER(constant, M_PI)
ANSWER(quarter, right / 4)
ANSWER(too_large, right + 2 / n)
ANSWER(full_at_the_end, right + 4 / n * sqrt(1 - n * (1 / n) * n * (1 / n)))
ANSWER(too_small, right - 2 / n)
ANSWER(one_less, rule_pi((size_t)n - 1))
ANSWER(n_times, n *right)
ANSWER(nth_part, right / n)
ANSWER(nearly, right + 1e-2)
ANSWER(four, 4)
ANSWER(nearly_four, 4 - 2 / n)
ANSWER(lower_half, rule_pi(args[0].value.u64 &UINT32_MAX))
ANSWER(float_digits, (double)(float)right)
ANSWER(eight_digits, right + 3e-8)
ANSWER(no_number, NAN)

FAKE_ANSWER(nothing) {
    result->untouched = 1u << 4;
}

Test(diagnosis, has_none_for_what_is_right) {
    expect_diagnosis(1000, right_value, NULL);
}

Test(diagnosis, knows_wrong_weights_and_widths) {
    expect_diagnosis(1000, quarter, "quarter_pi");
    expect_diagnosis(1000, too_large, "end_points_full");
    expect_diagnosis(49, full_at_the_end, "end_points_full"); /* 49 * (1 / 49) is less than 1 */
    expect_diagnosis(1000, too_small, "first_point_missing");
    expect_diagnosis(1000, one_less, "points_for_intervals");
    expect_diagnosis(1000, n_times, "h_missing");
    expect_diagnosis(1000, nth_part, "h_twice");
}

/* What a kernel's mistake would come to by chance, as 0 does. */
Test(diagnosis, blames_no_kernel_where_none_was_launched) {
    fake.report = "{\"launches\":[{\"grid\":[1,1,1]}]}";
    expect_diagnosis(1000, too_small, "first_point_missing");
    fake.report = "{\"launches\":[]}";
    expect_diagnosis(1000, too_small, "nothing_launched");
    expect_diagnosis(1, constant, "constant_pi");
}

Test(diagnosis, knows_pi_itself_from_the_value_asked_for) {
    expect_diagnosis(1, constant, "constant_pi");
    expect_diagnosis(1000, constant, "constant_pi");
    expect_diagnosis(1 << 20, constant, "constant_pi");
}

Test(diagnosis, knows_quotients_of_whole_numbers) {
    expect_diagnosis(1000, four, "whole_numbers");
    expect_diagnosis(1000, nearly_four, "whole_numbers");
}

Test(diagnosis, knows_what_is_kept_in_32_bits) {
    expect_diagnosis(((size_t)1 << 32) + 1001, lower_half, "index_overflow");
}

Test(diagnosis, knows_the_digits_of_a_float) {
    expect_diagnosis(1000, float_digits, "float_precision");
    expect_diagnosis(1000, eight_digits, "float_precision"); /* of a float at one place */
    expect_diagnosis(1 << 20, eight_digits, NULL); /* of so many points one may be missing */
}

Test(diagnosis, knows_a_root_of_less_than_0) {
    expect_diagnosis(1000, no_number, "root_of_less_than_0");
    expect_diagnosis(0, no_number, "empty_input_not_handled");
}

Test(diagnosis, claims_nothing_of_a_value_that_it_does_not_know) {
    expect_diagnosis(1000, nearly, NULL);
    expect_diagnosis(1000, nothing, NULL);
}

Test(diagnosis, knows_who_follows_device_pointers) {
    expect_diagnosis(8, fake_crash, "device_pointer_on_host");
    fake.words = "it was killed by signal 11: a null pointer (address 0x0)";
    expect_diagnosis(8, fake_crash, NULL);
}

static void gone_value(struct lab *lab, const struct lab_case *c) {
    enum { BYTES = 4096 };
    double *pi = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    lab_set_diagnoser(lab, pi_diagnose);
    pi_compute(lab, c->n, c->block, 1, pi);
    munmap(pi, BYTES);
    lab_technique(lab, false, "barriers", 1, "==", 2);
}

static void compute_and_count(struct lab *lab) {
    lab_one(lab, 1000, 32, gone_value);
}

Test(diagnosis, reads_no_result_once_its_caller_is_gone) {
    fake.answer = right_value;
    json_t *document = fake_judge("technique", compute_and_count, "technique");
    fake_expect(document, "diagnosis", NULL);
}
