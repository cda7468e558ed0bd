/*
 * Results that known mistakes make: a wrong value is mostly a right one of something else, which is
 * computed here and compared within the same bound.
 */
#include <math.h>

#include "labs/05-pi-trapezoid/tests/pi_case.h"

struct scene {
    size_t n;
    unsigned block, blocks;
    double right;
};

/* What pi comes to with a mistake. */
typedef double value(const struct scene *s);

/* Sums over the points take as long as they are many; beyond that, such a mistake is not known. */
enum { MAX_POINTS = 1 << 22 };

static double circle(double x) {
    return x < 1 ? sqrt((1 - x) * (1 + x)) : 0;
}

static double constant(const struct scene *s) {
    (void)s;
    return M_PI;
}

static double quarter(const struct scene *s) {
    return s->right / 4;
}

static double without_h(const struct scene *s) {
    return s->right * (double)s->n;
}

static double h_twice(const struct scene *s) {
    return s->right / (double)s->n;
}

/* Both ends with full weight: f(0) = 1, and f(1) = 0. */
static double full_ends(const struct scene *s) {
    return s->right + 2.0 / (double)s->n;
}

static double no_first(const struct scene *s) {
    return s->right - 2.0 / (double)s->n;
}

/* n points are n - 1 intervals. */
static double n_points(const struct scene *s) {
    return rule_pi(s->n - 1);
}

static double n_plus_1_intervals(const struct scene *s) {
    return rule_pi(s->n + 1);
}

/* An i / n of whole numbers is 0 for all points but the last. */
static double whole_numbers(const struct scene *s) {
    return 4 - 2.0 / (double)s->n;
}

/* An h = 1 / n of whole numbers is 0: each height is f(0). */
static double whole_h(const struct scene *s) {
    return s->n > 1 ? 4 : NAN;
}

/* The area under another curve, or between other points. */
static double sum_over(const struct scene *s, double shift, double (*f)(double x)) {
    double sum = shift > 0 ? 0 : (f(0) + f(1)) / 2;

    if (s->n > MAX_POINTS)
        return NAN;
    for (size_t i = shift > 0 ? 0 : 1; i < s->n; i++)
        sum += f(((double)i + shift) / (double)s->n);
    return sum / (double)s->n;
}

static double midpoints(const struct scene *s) {
    return 4 * sum_over(s, 0.5, circle);
}

static double arc_tangent(double x) {
    return 4 / (1 + x * x);
}

static double other_integrand(const struct scene *s) {
    return sum_over(s, 0, arc_tangent);
}

static double no_root(double x) {
    return 1 - x * x;
}

static double without_root(const struct scene *s) {
    return 4 * sum_over(s, 0, no_root);
}

/* The number of a point is squared as an int of 32 bits, which wraps around. */
static double wrapped_squares(const struct scene *s) {
    double sum = 0.5, n = (double)s->n;

    if (s->n > MAX_POINTS || s->n <= 46340)
        return NAN;
    for (size_t i = 1; i <= s->n; i++) {
        double square = (int32_t)((uint32_t)i * (uint32_t)i);

        sum += (i == s->n ? 0.5 : 1) * sqrt(1 - square / n / n);
    }
    return 4 * sum / n;
}

/* The points `first` + k * `stride`, `count` times, `repeat` neighbours each. The ends count half;
 * `first_point` is thread 0's, 0 where the ends are points like the others, 1 where they are added
 * apart. */
static double share(const struct scene *s, size_t first_point, size_t neighbours, size_t stride,
                    size_t turns) {
    double sum = first_point > 0 ? 0.5 : 0;

    if (s->n > MAX_POINTS)
        return NAN;
    for (size_t turn = 0, from = first_point; turn < turns && from < s->n; turn++, from += stride)
        for (size_t i = from; i < from + neighbours && i < s->n; i++)
            sum += (i == 0 ? 0.5 : 1) * circle((double)i / (double)s->n);
    return 4 * sum / (double)s->n;
}

static size_t threads(const struct scene *s) {
    return (size_t)s->block * s->blocks;
}

static double first_block(const struct scene *s) {
    return share(s, 0, s->block, threads(s), SIZE_MAX);
}

static double first_block_between(const struct scene *s) {
    return share(s, 1, s->block, threads(s), SIZE_MAX);
}

static double first_threads(const struct scene *s) {
    return share(s, 0, 1, s->block, SIZE_MAX);
}

static double first_threads_between(const struct scene *s) {
    return share(s, 1, 1, s->block, SIZE_MAX);
}

static double one_turn(const struct scene *s) {
    return share(s, 0, threads(s), threads(s), 1);
}

static double one_turn_between(const struct scene *s) {
    return share(s, 1, threads(s), threads(s), 1);
}

/* Of fewer points than threads nothing is left: 0, which many mistakes come to. */
static double whole_turns(const struct scene *s) {
    size_t n = s->n / threads(s);

    return n > 0 ? share(s, 0, threads(s), threads(s), n) : NAN;
}

static double whole_turns_between(const struct scene *s) {
    return share(s, 1, threads(s), threads(s), s->n / threads(s));
}

/* The number of intervals, or of a point, has lost its upper 32 bits. */
static double lower_half(const struct scene *s) {
    return s->n > UINT32_MAX ? rule_pi((uint32_t)s->n) : NAN;
}

/* The heights as floats: their squares' root is one of floats, or is made one. Larger n have
 * heights that round the one way or the other, by how x was made. */
static double float_heights(const struct scene *s, bool has_float_root) {
    double sum = 0.5;

    if (s->n > 4096)
        return NAN;
    for (size_t i = 1; i < s->n; i++) {
        double x = (double)i / (double)s->n, square = 1 - x * x;

        sum += (double)(has_float_root ? sqrtf((float)square) : (float)sqrt(square));
    }
    return 4 * sum / (double)s->n;
}

static double float_roots(const struct scene *s) {
    return float_heights(s, true);
}

static double float_terms(const struct scene *s) {
    return float_heights(s, false);
}

/* Each thread adds up its points in a float, from `first` on; the block's sum is a float, too, or
 * not. The ends are added apart where `first` is 1. */
static double float_sums(const struct scene *s, size_t first, bool rounds_block) {
    size_t stride = (size_t)s->block * s->blocks, last = first > 0 ? s->n - 1 : s->n;
    double total = first > 0 ? 0.5 : 0;

    if (s->n > 4096)
        return NAN;
    for (size_t block = 0; block < s->blocks; block++) {
        double of_block = 0;

        for (size_t t = 0; t < s->block; t++) {
            float sum = 0;

            for (size_t i = first + block * s->block + t; i <= last; i += stride)
                sum = (float)((double)sum +
                              (i == 0 || i == s->n ? 0.5 : 1) * circle((double)i / (double)s->n));
            of_block += (double)sum;
        }
        total += rounds_block ? (double)(float)of_block : of_block;
    }
    return 4 * total / (double)s->n;
}

static double float_threads(const struct scene *s) {
    return float_sums(s, 0, false);
}

static double float_blocks(const struct scene *s) {
    return float_sums(s, 0, true);
}

static double float_threads_between(const struct scene *s) {
    return float_sums(s, 1, false);
}

static double float_blocks_between(const struct scene *s) {
    return float_sums(s, 1, true);
}

/* True where the total has the partial sums of the first blocks alone: as many as the last launch
 * has threads. */
static bool lacks_partials(const struct scene *s, double got, double bound) {
    const size_t counts[] = {s->block, 2 * s->block, 32, 64, 128, 256, 512, 1024};

    for (size_t i = 0; i < 2 * (sizeof counts / sizeof *counts); i++) {
        double wrong = share(s, i % 2, counts[i / 2] * s->block, threads(s), SIZE_MAX);

        if (fabs(got - wrong) <= bound && fabs(s->right - wrong) > 2 * bound)
            return true;
    }
    return false;
}

/* True where a number has no more digits than a float has; a double has by chance once in 2^27. */
static bool is_float(double x) {
    return isfinite(x) && fabs(x - (double)(float)x) <= 0x1p-51 * fabs(x);
}

/* True where the value, or the sum that it was made of, went through a float. */
static bool has_been_float(const struct scene *s, double got) {
    double n = (double)s->n;

    return is_float(got) || is_float(got / 4) || is_float(got * n) || is_float(got * n / 4);
}

/* In this order: what is the same for some n is taken for the first of them. */
static const struct {
    const char *id;
    value *comes_to;
} wrong_values[] = {
    {"constant_pi", constant},
    {"quarter_pi", quarter},
    {"end_points_full", full_ends},
    {"first_point_missing", no_first},
    {"points_for_intervals", n_points},
    {"points_for_intervals", n_plus_1_intervals},
    {"h_missing", without_h},
    {"h_twice", h_twice},
    {"whole_numbers", whole_numbers},
    {"whole_numbers", whole_h},
    {"midpoint_rule", midpoints},
    {"other_integrand", other_integrand},
    {"no_root", without_root},
    {"square_overflow", wrapped_squares},
    {"index_overflow", lower_half},
    {"partials_never_added", first_block},
    {"partials_never_added", first_block_between},
    {"threads_never_added", first_threads},
    {"threads_never_added", first_threads_between},
    {"one_point_a_thread", one_turn},
    {"one_point_a_thread", one_turn_between},
    {"dropped_remainder", whole_turns},
    {"dropped_remainder", whole_turns_between},
    {"float_precision", float_roots},
    {"float_precision", float_terms},
    {"float_precision", float_threads},
    {"float_precision", float_blocks},
    {"float_precision", float_threads_between},
    {"float_precision", float_blocks_between},
};

/* True where the value is right but for what floats round, and no more than that: of so few points
 * any that is left out or misplaced changes more. */
static bool is_rounded_as_float(const struct scene *s, double got) {
    enum { FEW_POINTS = 1024 };

    return s->n <= FEW_POINTS && fabs(got - s->right) <= 0x1p-21 * s->right;
}

/* The last point with full weight: f(n * h) is 0, but where n * h is rounded down. `bound` allows
 * for that with half the weight, and the other roundings, which alone are looked at here. */
static bool is_full_at_the_end(const struct scene *s, double got, double bound) {
    const double n = (double)s->n, x = n * (1.0 / n);
    const double more = 4.0 / n * sqrt(fmax(0, 1 - x * x));

    return more > 0 && fabs(got - s->right - more) <= bound - 4 * sqrt(0x1p-53) / n;
}

const char *pi_known_result(size_t n, unsigned block, unsigned blocks, double got) {
    struct scene s = {.n = n, .block = block, .blocks = blocks, .right = rule_pi(n)};
    double bound = rule_bound(n, block, blocks, 0x1p-53);

    if (isnan(got))
        return n == 0 ? "empty_input_not_handled" : "root_of_less_than_0";
    if (n == 0)
        return NULL;
    for (size_t i = 0; i < sizeof wrong_values / sizeof *wrong_values; i++) {
        double wrong = wrong_values[i].comes_to(&s), scale = fmax(1, fabs(wrong) / M_PI);

        if (fabs(got - wrong) <= bound * scale && fabs(s.right - wrong) > 2 * bound)
            return wrong_values[i].id;
    }
    if (lacks_partials(&s, got, bound))
        return "partials_left_out";
    if (is_full_at_the_end(&s, got, bound))
        return "end_points_full";
    return is_rounded_as_float(&s, got) ||
                   (has_been_float(&s, got) &&
                    fabs(got - s.right) <= rule_bound(n, block, blocks, 0x1p-24))
               ? "float_precision"
               : NULL;
}
