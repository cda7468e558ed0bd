/*
 * Atomics of vectors, each element by itself, and of 128 bits as a whole; bulk copies.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/tests/run/rig.h"

static float rig_float(struct rig *rig, uint64_t buffer, size_t i) {
    const int bits = rig_int(rig, buffer, i);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

RIG_TEST(wide, adds_pairs_and_gives_what_was_there) {
    struct {
        uint64_t sum, old;
    } params = {rig_zeros(rig, "sum", 2), rig_zeros(rig, "old", 128)};
    rig_pass(rig, "add_pairs", 1, 64, 0, &params);
    int n = 0, sum = 0;
    for (int t = 0; t < 64; t++) {
        if (t % 3 == 0) {
            cr_expect_eq(rig_int(rig, params.old, 2 * t), 0, "lane %d is off", t);
            continue;
        }
        cr_expect_eq(rig_float(rig, params.old, 2 * t), n);
        cr_expect_eq(rig_float(rig, params.old, 2 * t + 1), sum);
        n++;
        sum += t;
    }
    cr_expect_eq(rig_float(rig, params.sum, 0), n);
    cr_expect_eq(rig_float(rig, params.sum, 1), sum);
    cr_expect_eq(rig_at(rig, "@pair").atomics, 2);
    rig_expect_quiet(rig);
}

RIG_TEST(wide, adds_quads_of_many_blocks) {
    uint64_t sum = rig_zeros(rig, "sum", 8);
    rig_pass(rig, "add_quads", 50, 32, 0, &sum);
    const float wanted[8] = {800, 1600, 2400, 50 * 240, 800, 1600, 2400, 50 * 256};
    for (size_t i = 0; i < 8; i++)
        cr_expect_eq(rig_float(rig, sum, i), wanted[i], "%zu: %g", i,
                     (double)rig_float(rig, sum, i));
    rig_expect_quiet(rig);
}

RIG_TEST(wide, reduces_pairs_of_halves) {
    uint64_t sum = rig_zeros(rig, "sum", 40);
    rig_pass(rig, "reduce_pairs", 1, 4, 0, &sum);
    cr_expect_eq(rig_float(rig, sum, 0), 4);
    cr_expect_eq(rig_float(rig, sum, 1), 8);
    cr_expect_eq(rig_int(rig, sum, 2), 0x44004800, "4 and 8 in f16");
    cr_expect_eq(rig_int(rig, sum, 3), 0x48004400);
    cr_expect_eq(rig_int(rig, sum, 4), 0x40804080, "4 and 4 in bf16");
    cr_expect_eq(rig_int(rig, sum, 5), 0);
    cr_expect_eq(rig_int(rig, sum, 8 + 2), 0x40004000, "the third lane finds 2 and 2");
}

RIG_TEST(wide, adds_eight_halves_of_many_blocks) {
    struct {
        uint64_t cells, fifth;
    } params = {rig_zeros(rig, "cells", 4), rig_zeros(rig, "fifth", 64)};
    rig_pass(rig, "add_eight_halves", 8, 8, 0, &params);
    const int wanted[] = {0x58005400, 0x5c005a00, 0x5e005d00, 0x60005f00}; /* 64, 128 … 512 */
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(rig_int(rig, params.cells, i), wanted[i], "%zu: %x", i,
                     (unsigned)rig_int(rig, params.cells, i));
    cr_expect_eq(rig_int(rig, params.fifth, 63), 0x5cec, "the last thread finds 63 times 5");
    rig_expect_quiet(rig);
}

RIG_TEST(wide, finds_extremes_of_halves) {
    uint64_t cells = rig_zeros(rig, "cells", 6);
    rig_pass(rig, "find_extremes", 1, 2, 0, &cells);
    const unsigned wanted[] = {0x8000c000, 0xc000c000, 0x0000c000,
                               0x00004040, 0x0000c000, 0x00004200};
    for (size_t i = 0; i < 6; i++)
        cr_expect_eq((unsigned)rig_int(rig, cells, i), wanted[i], "%zu: %x", i,
                     (unsigned)rig_int(rig, cells, i));
    rig_expect_quiet(rig);
}

RIG_TEST(wide, wants_vectors_to_be_aligned_as_a_whole) {
    uint64_t sum = rig_zeros(rig, "sum", 4);
    cr_expect_eq(rig_run(rig, "add_misplaced_pair", 1, 1, 0, &sum), SIMT_MISALIGNED);
}

RIG_TEST(wide, compares_and_swaps_128_bits) {
    uint64_t counters = rig_zeros(rig, "counters", 4);
    rig_pass(rig, "count_both", 3, 64, 0, &counters);
    cr_expect_eq(rig_int(rig, counters, 0), 192);
    cr_expect_eq(rig_int(rig, counters, 1), 0);
    cr_expect_eq(rig_int(rig, counters, 2), 3 * 192);
    rig_expect_quiet(rig);
}

RIG_TEST(wide, exchanges_128_bits) {
    struct {
        uint64_t place, got;
    } params = {rig_zeros(rig, "place", 4), rig_zeros(rig, "got", 4 * 64)};
    rig_pass(rig, "exchange_both", 1, 64, 0, &params);
    int low = rig_int(rig, params.place, 0), high = rig_int(rig, params.place, 2);
    for (size_t t = 0; t < 64; t++) {
        low += rig_int(rig, params.got, 4 * t);
        high += rig_int(rig, params.got, 4 * t + 2);
    }
    cr_expect_eq(low, 1000 + 63 * 64 / 2);
    cr_expect_eq(high, 2000 + 5 * 63 * 64 / 2);
    rig_expect_quiet(rig);
}

RIG_TEST(wide, tells_the_mbarrier_of_a_copy_that_a_function_makes) {
    struct {
        uint64_t from, to;
    } params = {rig_ramp(rig, "from", 64), rig_zeros(rig, "to", 64)};
    rig_pass(rig, "copy_in_a_function", 1, 64, 0, &params);
    for (size_t t = 0; t < 64; t++)
        cr_expect_eq(rig_int(rig, params.to, t), rig_int(rig, params.from, t));
    rig_expect_quiet(rig);
}

RIG_TEST(wide, copies_zeros_where_a_predicate_says_so) {
    struct {
        uint64_t from, to;
    } params = {rig_ramp(rig, "from", 64), rig_zeros(rig, "to", 64)};
    rig_pass(rig, "copy_even_ones", 1, 64, 0, &params);
    for (size_t t = 0; t < 64; t++)
        cr_expect_eq(rig_int(rig, params.to, t), t % 2 ? 0 : rig_int(rig, params.from, t));
    rig_expect_quiet(rig);
}
