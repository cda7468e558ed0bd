/* The reference, against what is known of it in other ways; and numbers that the handout shows. */
#include <criterion/criterion.h>
#include <math.h>

#include "labs/05-pi-trapezoid/tests/rule.h"

Test(rule, is_exact_where_it_can_be_done_by_hand) {
    cr_assert_eq(rule_pi(0), 0);
    cr_assert_eq(rule_pi(1), 2);
    cr_assert_float_eq(rule_pi(2), 1 + sqrt(3), 1e-15);
    cr_assert_float_eq(rule_pi(8), 3.0898191443571734, 1e-15);
}

/* The sum in double, with the additions by halves that keep roundings small. */
static double sum_between(size_t first, size_t end, size_t n) {
    if (end - first > 16)
        return sum_between(first, first + (end - first) / 2, n) +
               sum_between(first + (end - first) / 2, end, n);
    double sum = 0;

    for (size_t i = first; i < end; i++) {
        double x = (double)i / (double)n;

        sum += sqrt((1 - x) * (1 + x));
    }
    return sum;
}

Test(rule, is_the_same_summed_up_and_expanded) {
    static const size_t sizes[] = {(1 << 16) - 1, 1 << 16, (1 << 16) + 1, (1 << 20) + 1};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        cr_assert_float_eq(rule_pi(sizes[i]),
                           4 * (0.5 + sum_between(1, sizes[i], sizes[i])) / (double)sizes[i], 4e-15,
                           "n = %zu", sizes[i]);
}

Test(rule, converges_with_order_one_and_a_half) {
    for (size_t n = 1 << 10; n < 1 << 24; n *= 2) {
        double order = log2((M_PI - rule_pi(n)) / (M_PI - rule_pi(2 * n)));

        cr_assert_float_eq(order, 1.5, 0.001, "%g at n = %zu", order, n);
        cr_assert_float_eq((M_PI - rule_pi(n)) * pow((double)n, 1.5), 1.17598, 1e-4);
    }
}

/* One thread that adds up in float, as in the handout's table. */
static double error_in_float(size_t n) {
    float h = 1.0f / (float)n, sum = 0.5f;

    for (size_t i = 1; i < n; i++) {
        float x = (float)i * h;

        sum += sqrtf(fmaf(-x, x, 1.0f));
    }
    return fabs(4.0 * (double)(sum * h) - rule_pi(n));
}

Test(rule, loses_all_digits_in_float_as_the_handout_says) {
    cr_assert_float_eq(error_in_float(1 << 14), 2.0e-6, 1e-7);
    cr_assert_float_eq(error_in_float(1 << 20), 8.5e-4, 1e-5);
    cr_assert_float_eq(error_in_float(1 << 24), 0.32, 1e-2);
}

Test(rule, keeps_its_digits_in_double_as_the_handout_says) {
    double h = 0x1p-24, sum = 0.5;

    for (size_t i = 1; i < 1 << 24; i++) {
        double x = (double)i * h;

        sum += sqrt(fma(-x, x, 1.0));
    }
    cr_assert_float_eq(fabs(4 * sum * h - rule_pi(1 << 24)), 5.7e-13, 1e-14);
}

/* 49 times the double next to 1 / 49 is the double next below 1, where f is 2^-26. */
Test(rule, misses_1_at_n_49_as_the_handout_says) {
    for (size_t n = 1; n < 49; n++)
        cr_assert_eq((double)n * (1.0 / (double)n), 1);
    cr_assert_eq(49 * (1.0 / 49), 1 - 0x1p-53);
    cr_assert_eq(sqrt(fma(-(1 - 0x1p-53), 1 - 0x1p-53, 1.0)), 0x1p-26);
}

Test(rule, allows_less_than_what_tells_it_from_pi) {
    for (size_t n = 1; n <= 1 << 20; n *= 2)
        cr_assert_lt(10 * rule_bound(n, 256, 64, 0x1p-53), M_PI - rule_pi(n), "n = %zu", n);
}
