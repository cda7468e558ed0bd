/* Inputs: they must show mistakes, and be the same again from the same seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/context.h"
#include "common/harness/tests/fake_call.h"

enum { N = 10000 };

Test(inputs, hold_no_zero_and_no_equal_neighbours) {
    static int32_t data[N];
    size_t n_negative = 0;

    lab_fill_i32(data, N, 7);
    for (size_t i = 0; i < N; i++) {
        cr_assert_neq(data[i], 0);
        cr_assert(i == 0 || data[i] != data[i - 1]);
        n_negative += data[i] < 0;
    }
    cr_assert(n_negative > N / 3 && n_negative < 2 * N / 3);
}

Test(inputs, need_all_bits_where_there_are_many) {
    static int32_t data[N];
    size_t n_large = 0, n_inexact = 0;

    lab_fill_i32(data, N, 7);
    for (size_t i = 0; i < N; i++) {
        n_large += data[i] > 1 << 30 || data[i] < -(1 << 30);
        n_inexact += (double)(float)data[i] != (double)data[i];
    }
    cr_assert(n_large > N / 3 && n_large < 2 * N / 3);
    cr_assert(n_inexact > N / 2);
    lab_fill_i32(data, 64, 7);
    for (size_t i = 0; i < 64; i++)
        cr_assert(data[i] >= -32768 && data[i] <= 32767);
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

static void see(struct lab *lab) {
    static int32_t values[2 * LAB_PIECE + 1001];
    const size_t n = sizeof values / sizeof *values, sizes[] = {0, 5, LAB_PIECE, n};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int type = LAB_I32; type <= LAB_I32_SMALL; type++) {
            struct lab_drawn drawn = {.type = type, .seed = 1, .n = sizes[i]}, kept = drawn;

            lab_drawn_keep_sums(lab, &kept);
            lab_drawn_make(&kept, 0, kept.n, values);
            lab_drawn_anew(&kept, 7);
            lab_drawn_anew(&drawn, 7);
            lab_drawn_make(&kept, 0, kept.n, values);
            memset(values, 1, sizeof values);
            lab_drawn_make(&kept, kept.n / 2, kept.n - kept.n / 2, values);
            cr_expect_eq(lab_drawn_sum(&kept), lab_drawn_sum(&drawn));
        }
}

/* Of others that were made before, nothing is left; and nobody looks at what was made. */
Test(inputs, have_sums_that_are_kept_as_they_are_made) {
    fake_judge("edge", see, "pass");
}

/* Their elements one by one, and their sum, with sums that are kept and without. */
static void see_repeating(struct lab *lab) {
    const size_t n = 5 * 65 * LAB_PIECE + 1001;
    struct lab_drawn drawn = lab_draw_repeating(lab, LAB_I32, n), kept = drawn;
    int32_t *all = lab_memory(lab, n * sizeof *all), one;
    int64_t sum = 0;

    lab_drawn_keep_sums(lab, &kept);
    lab_drawn_make(&kept, 0, n, all);
    cr_assert_eq(drawn.period, 65 * LAB_PIECE);
    for (size_t i = 0; i < n; i++) {
        sum += all[i];
        cr_assert_eq(all[i], all[i % drawn.period]);
    }
    for (size_t i = 1; i < n; i = i * 3 + 1) {
        lab_drawn_make(&drawn, i, 1, &one);
        cr_expect_eq(one, all[i]);
    }
    cr_expect_eq(lab_drawn_sum(&kept), sum);
    cr_expect_eq(lab_drawn_sum(&drawn), sum);
    for (int bit = 24; bit < 27; bit++)
        cr_expect_neq(all[0], all[(size_t)1 << bit], "an index that wraps around shows");
    cr_expect_eq(lab_draw_repeating(lab, LAB_I32, 1 << 24).period, 0);
}

Test(inputs, repeat_where_there_are_very_many) {
    fake_judge("edge", see_repeating, "pass");
}

static void see_stretches(struct lab *lab) {
    const size_t n = 6 * LAB_STRETCH + 1001;
    int32_t *before = lab_memory(lab, n * sizeof *before), *all = lab_memory(lab, n * sizeof *all);
    struct lab_drawn drawn = {.type = LAB_I32, .n = n};
    bool has_changed[7] = {false};

    lab_drawn_keep_sums(lab, &drawn);
    lab_drawn_by_stretches(lab, &drawn);
    const struct call_arg arg = lab_in_drawn("in", &drawn);
    for (uint64_t seed = 3; seed < 23; seed++) {
        int n_new = 0;
        int64_t sum = 0;

        lab_drawn_anew(&drawn, seed);
        lab_drawn_make(&drawn, 0, n, all);
        for (size_t at = 0; at < n; at += LAB_STRETCH) {
            size_t count = n - at < LAB_STRETCH ? n - at : LAB_STRETCH;
            bool is_same = arg.is_same(&drawn, at, count);

            cr_expect_eq(is_same, memcmp(before + at, all + at, count * sizeof *all) == 0);
            has_changed[at / LAB_STRETCH] |= seed > 3 && !is_same;
            n_new += !is_same;
        }
        for (size_t i = 0; i < n; i++)
            sum += all[i];
        cr_expect_eq(lab_drawn_sum(&drawn), sum);
        cr_expect(seed == 3 ? n_new == 7 : n_new == 1 || n_new == 2, "%d are new", n_new);
        memcpy(before, all, n * sizeof *all);
    }
    for (int i = 0; i < 7; i++)
        cr_expect(has_changed[i], "stretch %d stays", i);
}

Test(inputs, change_by_stretches) {
    fake_judge("edge", see_stretches, "pass");
}

/* Several threads fill this one. */
Test(inputs, are_the_same_in_large_arrays) {
    enum { LARGE = 3 * (1 << 18) + 1001 };
    static int32_t whole[LARGE], alone[LARGE];
    struct lab_drawn drawn = {.type = LAB_I32, .seed = 7, .n = LARGE};

    lab_fill_i32(whole, LARGE, 7);
    lab_drawn_make(&drawn, 0, LARGE, alone);
    cr_assert_arr_eq(whole, alone, sizeof whole);
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

/* As in a grid's sum: `blocks` blocks whose sums are added in a shuffled order, of threads that
 * take every `apart`th number. */
static float grid_sum(const float *values, size_t n, size_t blocks, size_t apart) {
    float sum = 0;

    for (size_t b = 0; b < blocks; b++) {
        size_t block = b * 40503 % blocks, tile = (n + blocks - 1) / blocks; /* a prime */
        size_t end = (block + 1) * tile < n ? (block + 1) * tile : n;
        float of_block = 0;

        for (size_t t = 0; t < apart; t++) {
            float of_thread = 0;

            for (size_t i = block * tile + t; i < end; i += apart)
                of_thread += values[i];
            of_block += of_thread;
        }
        sum += of_block;
    }
    return sum;
}

Test(inputs, are_whole_floats_whose_sum_is_exact_in_any_order) {
    enum { MANY = 1 << 20 };
    static float values[MANY];
    static const size_t grids[][2] = {{1, 1}, {1, 7}, {128, 512}, {1001, 32}, {32768, 32}};

    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct lab_drawn drawn = {.type = LAB_F32_WHOLE, .seed = seed, .n = MANY};
        int64_t sum = lab_drawn_sum(&drawn);

        lab_drawn_make(&drawn, 0, MANY, values);
        /* Six times what chance gives: 19 is the root of the numbers' mean square. */
        cr_assert_lt(llabs(sum), 6 * 19 * 1024);
        for (size_t i = 0; i < MANY; i++) {
            cr_assert(values[i] != 0 && fabsf(values[i]) <= 32 && values[i] == truncf(values[i]));
            cr_assert(i == 0 || values[i] != values[i - 1]);
        }
        for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++)
            cr_assert_eq((int64_t)grid_sum(values, MANY, grids[i][0], grids[i][1]), sum);
    }
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
    fake_judge("edge", draw, "pass");
}

static void take_too_much(struct lab *lab) {
    lab_memory(lab, SIZE_MAX);
}

Test(inputs, that_do_not_fit_are_our_own_failure) {
    fake_judge("edge", take_too_much, "infrastructure");
}
