/* Inputs: they must show mistakes, and be the same again from the same seed. */
#include <string.h>

#include "common/check/random.h"
#include "common/check/tests/fake_call.h"

enum { N = 10000 };

Test(inputs, hold_no_zero_and_no_equal_neighbours) {
    static int32_t data[N];
    size_t n_negative = 0;

    lab_fill_i32(data, N, 7);
    for (size_t i = 0; i < N; i++) {
        cr_assert_neq(data[i], 0);
        cr_assert(data[i] >= -32768 && data[i] <= 32767);
        cr_assert(i == 0 || data[i] != data[i - 1]);
        n_negative += data[i] < 0;
    }
    cr_assert(n_negative > N / 3 && n_negative < 2 * N / 3);
}

Test(inputs, are_the_same_in_parts) {
    static int32_t whole[N], parts[N];
    struct lab_drawn drawn = {.type = LAB_I32, .seed = 7, .n = N};
    int64_t sum = 0;

    lab_fill_i32(whole, N, 7);
    for (size_t first = 0, count = 1; first < N; first += count, count = 3 * count % 1500) {
        if (count > N - first)
            count = N - first;
        lab_drawn_make(&drawn, first, count, parts + first);
    }
    cr_assert_arr_eq(whole, parts, sizeof whole);
    for (size_t i = 0; i < N; i++)
        sum += whole[i];
    cr_assert_eq(lab_drawn_sum(&drawn), sum);
}

Test(inputs, are_floats_whose_sum_is_known_exactly) {
    static float values[N];
    struct lab_drawn drawn = {.type = LAB_F32, .seed = 7, .n = N};
    double sum = 0;

    lab_drawn_make(&drawn, 0, N, values);
    for (size_t i = 0; i < N; i++) {
        cr_assert(values[i] != 0 && values[i] >= -128 && values[i] < 128);
        cr_assert(i == 0 || values[i] != values[i - 1]);
        sum += (double)values[i];
    }
    cr_assert_eq((double)lab_drawn_sum(&drawn), sum * 65536);
}

Test(inputs, differ_beyond_32_bits) {
    struct lab_drawn drawn = {.type = LAB_I32, .seed = 7};
    int32_t low[64], high[64];

    lab_drawn_make(&drawn, 0, 64, low);
    lab_drawn_make(&drawn, (size_t)1 << 32, 64, high);
    cr_assert_arr_neq(low, high, sizeof low);
}

Test(inputs, come_again_from_the_same_seed_alone) {
    int32_t a[64], b[64], c[64];

    lab_fill_i32(a, 64, 1);
    lab_fill_i32(b, 64, 1);
    lab_fill_i32(c, 64, 2);
    cr_assert_arr_eq(a, b, sizeof a);
    cr_assert_arr_neq(a, c, sizeof a);
}

Test(inputs, differ_from_test_to_test) {
    cr_assert_neq(lab_random_seed(1, "edge", "a"), lab_random_seed(1, "edge", "b"));
    cr_assert_neq(lab_random_seed(1, "edge", "a"), lab_random_seed(2, "edge", "a"));
    cr_assert_neq(lab_random_seed(1, "ed", "gea"), lab_random_seed(1, "edge", "a"));
}

static void two_arrays(struct lab *lab, const struct lab_case *c) {
    int32_t *a = lab_random_i32(lab, c->n), *b = lab_random_i32(lab, c->n);

    if (memcmp(a, b, c->n * sizeof *a) == 0)
        lab_fail(lab, "wrong_answer", "equal arrays");
}

static void draw(struct lab *lab) {
    lab_one(lab, 64, 32, two_arrays);
}

Test(inputs, differ_within_a_case) {
    json_t *document = fake_perform("edge", draw);

    fake_expect(document, "verdict", "pass");
    json_decref(document);
}

static void take_too_much(struct lab *lab) {
    lab_memory(lab, SIZE_MAX);
}

Test(inputs, that_do_not_fit_are_our_own_failure) {
    json_t *document = fake_perform("edge", take_too_much);

    fake_expect(document, "verdict", "infrastructure");
    json_decref(document);
}
