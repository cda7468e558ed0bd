/*
 * Atomics of vectors, each element by itself, and of 128 bits as a whole; bulk copies.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

static float fixture_float(struct fixture *fixture, uint64_t buffer, size_t i) {
    const int bits = fixture_int(fixture, buffer, i);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

FIXTURE_TEST(wide, adds_pairs_and_gives_what_was_there) {
    struct {
        uint64_t sum, old;
    } params = {fixture_zeros(fixture, "sum", 2), fixture_zeros(fixture, "old", 128)};
    fixture_pass(fixture, "add_pairs", 1, 64, 0, &params);
    int n = 0, sum = 0;
    for (int t = 0; t < 64; t++) {
        if (t % 3 == 0) {
            cr_expect_eq(fixture_int(fixture, params.old, 2 * t), 0, "lane %d is off", t);
            continue;
        }
        cr_expect_eq(fixture_float(fixture, params.old, 2 * t), n);
        cr_expect_eq(fixture_float(fixture, params.old, 2 * t + 1), sum);
        n++;
        sum += t;
    }
    cr_expect_eq(fixture_float(fixture, params.sum, 0), n);
    cr_expect_eq(fixture_float(fixture, params.sum, 1), sum);
    cr_expect_eq(fixture_at(fixture, "@pair").atomics, 2);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(wide, adds_quads_of_many_blocks) {
    uint64_t sum = fixture_zeros(fixture, "sum", 8);
    fixture_pass(fixture, "add_quads", 50, 32, 0, &sum);
    const float wanted[8] = {800, 1600, 2400, 50 * 240, 800, 1600, 2400, 50 * 256};
    for (size_t i = 0; i < 8; i++)
        cr_expect_eq(fixture_float(fixture, sum, i), wanted[i], "%zu: %g", i,
                     (double)fixture_float(fixture, sum, i));
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(wide, reduces_pairs_of_halves) {
    uint64_t sum = fixture_zeros(fixture, "sum", 40);
    fixture_pass(fixture, "reduce_pairs", 1, 4, 0, &sum);
    cr_expect_eq(fixture_float(fixture, sum, 0), 4);
    cr_expect_eq(fixture_float(fixture, sum, 1), 8);
    cr_expect_eq(fixture_int(fixture, sum, 2), 0x44004800, "4 and 8 in f16");
    cr_expect_eq(fixture_int(fixture, sum, 3), 0x48004400);
    cr_expect_eq(fixture_int(fixture, sum, 4), 0x40804080, "4 and 4 in bf16");
    cr_expect_eq(fixture_int(fixture, sum, 5), 0);
    cr_expect_eq(fixture_int(fixture, sum, 8 + 2), 0x40004000, "the third lane finds 2 and 2");
}

FIXTURE_TEST(wide, adds_eight_halves_of_many_blocks) {
    struct {
        uint64_t cells, fifth;
    } params = {fixture_zeros(fixture, "cells", 4), fixture_zeros(fixture, "fifth", 64)};
    fixture_pass(fixture, "add_eight_halves", 8, 8, 0, &params);
    const int wanted[] = {0x58005400, 0x5c005a00, 0x5e005d00, 0x60005f00}; /* 64, 128 … 512 */
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(fixture_int(fixture, params.cells, i), wanted[i], "%zu: %x", i,
                     (unsigned)fixture_int(fixture, params.cells, i));
    cr_expect_eq(fixture_int(fixture, params.fifth, 63), 0x5cec,
                 "the last thread finds 63 times 5");
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(wide, finds_extremes_of_halves) {
    uint64_t cells = fixture_zeros(fixture, "cells", 6);
    fixture_pass(fixture, "find_extremes", 1, 2, 0, &cells);
    const unsigned wanted[] = {0x8000c000, 0xc000c000, 0x0000c000,
                               0x00004040, 0x0000c000, 0x00004200};
    for (size_t i = 0; i < 6; i++)
        cr_expect_eq((unsigned)fixture_int(fixture, cells, i), wanted[i], "%zu: %x", i,
                     (unsigned)fixture_int(fixture, cells, i));
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(wide, wants_vectors_to_be_aligned_as_a_whole) {
    uint64_t sum = fixture_zeros(fixture, "sum", 4);
    cr_expect_eq(fixture_run(fixture, "add_misplaced_pair", 1, 1, 0, &sum), SIMT_MISALIGNED);
}

FIXTURE_TEST(wide, compares_and_swaps_128_bits) {
    uint64_t counters = fixture_zeros(fixture, "counters", 4);
    fixture_pass(fixture, "count_both", 3, 64, 0, &counters);
    cr_expect_eq(fixture_int(fixture, counters, 0), 192);
    cr_expect_eq(fixture_int(fixture, counters, 1), 0);
    cr_expect_eq(fixture_int(fixture, counters, 2), 3 * 192);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(wide, exchanges_128_bits) {
    struct {
        uint64_t place, got;
    } params = {fixture_zeros(fixture, "place", 4), fixture_zeros(fixture, "got", 4 * 64)};
    fixture_pass(fixture, "exchange_both", 1, 64, 0, &params);
    int low = fixture_int(fixture, params.place, 0), high = fixture_int(fixture, params.place, 2);
    for (size_t t = 0; t < 64; t++) {
        low += fixture_int(fixture, params.got, 4 * t);
        high += fixture_int(fixture, params.got, 4 * t + 2);
    }
    cr_expect_eq(low, 1000 + 63 * 64 / 2);
    cr_expect_eq(high, 2000 + 5 * 63 * 64 / 2);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(wide, tells_the_mbarrier_of_a_copy_that_a_function_makes) {
    struct {
        uint64_t from, to;
    } params = {fixture_ramp(fixture, "from", 64), fixture_zeros(fixture, "to", 64)};
    fixture_pass(fixture, "copy_in_a_function", 1, 64, 0, &params);
    for (size_t t = 0; t < 64; t++)
        cr_expect_eq(fixture_int(fixture, params.to, t), fixture_int(fixture, params.from, t));
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(wide, copies_zeros_where_a_predicate_says_so) {
    struct {
        uint64_t from, to;
    } params = {fixture_ramp(fixture, "from", 64), fixture_zeros(fixture, "to", 64)};
    fixture_pass(fixture, "copy_even_ones", 1, 64, 0, &params);
    for (size_t t = 0; t < 64; t++)
        cr_expect_eq(fixture_int(fixture, params.to, t),
                     t % 2 ? 0 : fixture_int(fixture, params.from, t));
    fixture_expect_quiet(fixture);
}
