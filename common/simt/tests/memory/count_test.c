/*
 * Wavefronts and sectors against counts derived by hand, and the values that move.
 */
#include <criterion/criterion.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(count, .timeout = 20);

static void expect_banks(const char *kernel, const char *mark, size_t bytes, int stride,
                         uint64_t wavefronts, uint64_t conflicts) {
    struct fixture fixture;
    fixture_open(&fixture);
    struct {
        uint64_t out;
        int stride;
    } params = {0, stride};
    unsigned shared_bytes = (unsigned)(32u * bytes * (unsigned)(stride ? stride : 1));
    fixture_pass(&fixture, kernel, 1, 32, shared_bytes, &params);
    struct simt_counters at = fixture_at(&fixture, mark);
    cr_expect_eq(at.shared_stores, 1);
    cr_expect_eq(at.shared_store_wavefronts, wavefronts, "%s, stride %d: %d wavefronts", kernel,
                 stride, (int)at.shared_store_wavefronts);
    cr_expect_eq(at.bank_conflicts, conflicts, "%s, stride %d: %d conflicts", kernel, stride,
                 (int)at.bank_conflicts);
    fixture_close(&fixture);
}

/* Word t * s is in bank t * s mod 32: gcd(s, 32) words share a bank. */
Test(count, banks_of_strided_words) {
    static const int strides[] = {1, 2, 3, 4, 8, 16, 32, 33, 64};
    static const uint64_t wavefronts[] = {1, 2, 1, 4, 8, 16, 32, 1, 32};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++)
        expect_banks("banks4", "@banks4", 4, strides[i], wavefronts[i], wavefronts[i] - 1);
}

Test(count, one_wavefront_for_one_word) {
    expect_banks("banks4", "@banks4", 4, 0, 1, 0);
}

/* 8 bytes: two half warps, each of 16 pairs of banks. 16 bytes: four quarter warps. */
Test(count, wide_accesses_in_halves_and_quarters) {
    expect_banks("banks8", "@banks8", 8, 1, 2, 0);
    expect_banks("banks8", "@banks8", 8, 2, 4, 2);
    expect_banks("banks8", "@banks8", 8, 3, 2, 0);
    expect_banks("banks8", "@banks8", 8, 16, 32, 30);
    expect_banks("banks16", "@banks16", 16, 1, 4, 0);
    expect_banks("banks16", "@banks16", 16, 2, 8, 4);
    expect_banks("banks16", "@banks16", 16, 3, 4, 0);
    expect_banks("banks16", "@banks16", 16, 8, 32, 28);
}

static uint64_t sectors_of(int stride, int offset, unsigned n_threads) {
    struct fixture fixture;
    fixture_open(&fixture);
    struct {
        uint64_t in, out;
        int stride, offset;
    } params = {fixture_zeros(&fixture, "in", 1100), fixture_zeros(&fixture, "out", 1), stride,
                offset};
    fixture_pass(&fixture, "sectors4", 1, n_threads, 0, &params);
    cr_expect_eq(fixture_at(&fixture, "@sectors4").global_loads, (n_threads + 31) / 32);
    uint64_t sectors = fixture_at(&fixture, "@sectors4").global_load_sectors;
    fixture_close(&fixture);
    return sectors;
}

/* A sector is 32 bytes, 8 words. */
Test(count, sectors_of_strided_words) {
    cr_expect_eq(sectors_of(1, 0, 32), 4);
    cr_expect_eq(sectors_of(1, 1, 32), 5, "128 bytes from byte 4 on touch a fifth sector");
    cr_expect_eq(sectors_of(2, 0, 32), 8);
    cr_expect_eq(sectors_of(8, 0, 32), 32);
    cr_expect_eq(sectors_of(33, 0, 32), 32);
    cr_expect_eq(sectors_of(0, 5, 32), 1);
    cr_expect_eq(sectors_of(-1, 31, 32), 4, "backwards");
    cr_expect_eq(sectors_of(1, 0, 9), 2, "a part of a warp");
    cr_expect_eq(sectors_of(1, 0, 1024), 128);
}

FIXTURE_TEST(count, quads_move_whole) {
    struct {
        uint64_t in, out;
    } params = {fixture_ramp(fixture, "in", 128), fixture_unwritten(fixture, "out", 128)};
    fixture_pass(fixture, "copy_quads", 1, 32, 0, &params);
    for (int i = 0; i < 128; i++)
        cr_expect_eq(fixture_int(fixture, params.out, (size_t)i), i + (i % 4 == 0   ? 1
                                                                       : i % 4 == 3 ? 2
                                                                                    : 0));
    cr_expect_eq(fixture_at(fixture, "@quads").global_loads, 1);
    cr_expect_eq(fixture_at(fixture, "@quads").global_load_sectors, 16);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(access, extends_narrow_values_by_their_sign) {
    static const signed char c[4] = {-1, -128, 127, 5};
    static const unsigned short s[4] = {65535, 0, 1, 40000};
    static const long long l[4] = {-1, 1LL << 40, -(1LL << 40), 0};
    struct {
        uint64_t c, s, l, out;
    } params = {
        fixture_buffer(fixture, "c", c, sizeof c, 1), fixture_buffer(fixture, "s", s, sizeof s, 2),
        fixture_buffer(fixture, "l", l, sizeof l, 8), fixture_unwritten(fixture, "out", 12)};
    fixture_pass(fixture, "narrow", 1, 4, 0, &params);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(fixture_int(fixture, params.out, 3 * i), c[i]);
        cr_expect_eq(fixture_int(fixture, params.out, 3 * i + 1), s[i]);
        cr_expect_eq(fixture_int(fixture, params.out, 3 * i + 2), (int)(l[i] >> 32));
    }
}

FIXTURE_TEST(access, gives_each_thread_its_own_local_memory) {
    struct {
        uint64_t out;
        int k;
    } params = {fixture_unwritten(fixture, "out", 64), 3};
    fixture_pass(fixture, "in_local_memory", 1, 64, 0, &params);
    /* Element 3 is written in round 1, as 1 * 3 = 3. */
    for (int t = 0; t < 64; t++)
        cr_expect_eq(fixture_int(fixture, params.out, (size_t)t), t + 1);
    cr_expect_eq(fixture_total(fixture).global_loads, 0);
}

FIXTURE_TEST(access, reads_variables_of_the_module) {
    uint64_t out = fixture_unwritten(fixture, "out", 32), address;
    size_t bytes;
    fixture_pass(fixture, "variables", 1, 32, 0, &out);
    cr_expect_eq(fixture_int(fixture, out, 6), 90);
    cr_assert_eq(simt_symbol(fixture->module, "factor", &address, &bytes), SIMT_OK);
    cr_expect_eq(bytes, 4);
    simt_write(fixture->simt, address, &(int){-1}, 4);
    fixture_pass(fixture, "variables", 1, 32, 0, &out);
    cr_expect_eq(fixture_int(fixture, out, 6), -30);
    cr_expect_eq(simt_symbol(fixture->module, "nothing", &address, &bytes), SIMT_BAD_ADDRESS);
}

FIXTURE_TEST(atomic, does_each_operation_on_32_bits) {
    static const int s[4] = {100, 100, 100, -100};
    static const unsigned u[10] = {1000, 0, ~0u, 0, 0, 8, 1, 5, 0, 100};
    struct {
        uint64_t s, u, f;
    } params = {fixture_buffer(fixture, "s", s, sizeof s, 4),
                fixture_buffer(fixture, "u", u, sizeof u, 4), fixture_zeros(fixture, "f", 1)};
    fixture_pass(fixture, "atomics32", 1, 8, 0, &params);
    /* t = 0 … 7: 28 is the sum. */
    const int wanted_s[4] = {100 + 28 - 24, 100 - 28, -2, 0};
    /* inc from 8 with limit 9: 9, 0, 1 … 6; dec from 1: 0, 9, 8 … 3, from 100: 9, 8 … 2;
     * cas climbs step by step. */
    const unsigned wanted_u[10] = {33, 0x80000007u, ~0xffu, 0xff, 0xff, 6, 3, 77, 8, 2};
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(fixture_int(fixture, params.s, i), wanted_s[i], "s[%zu]", i);
    for (size_t i = 0; i < 10; i++)
        cr_expect_eq((unsigned)fixture_int(fixture, params.u, i), wanted_u[i], "u[%zu] = %u", i,
                     (unsigned)fixture_int(fixture, params.u, i));
    cr_expect_eq(fixture_int(fixture, params.f, 0), 0x40800000, "4.0f");
    cr_expect_eq(fixture_total(fixture).atomics, 15);
    fixture_expect_quiet(fixture);
}

FIXTURE_TEST(atomic, does_each_operation_on_64_bits) {
    static const unsigned long long u[6] = {5, ~0ull, 0, 0, 1, 0};
    static const long long s[2] = {0, -9};
    double d = 1;
    struct {
        uint64_t u, s, d;
    } params = {fixture_buffer(fixture, "u", u, sizeof u, 8),
                fixture_buffer(fixture, "s", s, sizeof s, 8),
                fixture_buffer(fixture, "d", &d, sizeof d, 8)};
    fixture_pass(fixture, "atomics64", 1, 32, 0, &params);
    const unsigned long long wanted[6] = {5 + (32ull << 40),   ~(0xffffffffull << 16),
                                          0xffffffffull << 16, 0xffffffffull << 16,
                                          1ull << 50,          32};
    unsigned long long got[6];
    long long got_s[2];
    simt_read(fixture->simt, got, params.u, sizeof got);
    simt_read(fixture->simt, got_s, params.s, sizeof got_s);
    simt_read(fixture->simt, &d, params.d, sizeof d);
    for (size_t i = 0; i < 6; i++)
        cr_expect_eq(got[i], wanted[i], "u[%zu] = %llx", i, got[i]);
    cr_expect_eq(got_s[0], -31);
    cr_expect_eq(got_s[1], 30);
    cr_expect_eq(d, 9.0);
}
