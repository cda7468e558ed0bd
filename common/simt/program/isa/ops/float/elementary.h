/*
 * sin, cos, log2 and exp2 of single-precision numbers, quickly and to the same bits as the host's
 * library in double precision, rounded: for approx.c.
 *
 * Plain series give the value as vectors of doubles, with an error of a few units in its last
 * place. Only where the value lies that close to the middle between two floats could another
 * value round the other way; there, once in a million, and for arguments outside the series' range
 * the library is asked. Without fma, so that all instruction sets compute the same.
 */
#pragma once

#include "common/simt/program/isa/ops/modes.h"

/* Added to a double, rounds it to an integer, which is then in the low bits of the fraction. */
#define ELEMENTARY_ROUND 0x1.8p52

/* sin(a), or cos(a) with `turns` 1, for |a| < 2^20. The argument is reduced by multiples of pi / 2,
 * which is given in three parts: the products of the first two are exact. Taylor's series on
 * [-pi/4, pi/4]. */
LANES_INLINE double elementary_sine(double a, uint64_t turns) {
    const double shifted = a * 0x1.45f306dc9c883p-1 + ELEMENTARY_ROUND;
    const double n = shifted - ELEMENTARY_ROUND;
    const double r = a - n * 0x1.921fb544p+0 - n * 0x1.0b4611a6p-34 - n * 0x1.3198a2e037073p-69;
    const double z = r * r;
    double sine = 1 - z * (1.0 / 272);
    sine = 1 - z * (1.0 / 210) * sine;
    sine = 1 - z * (1.0 / 156) * sine;
    sine = 1 - z * (1.0 / 110) * sine;
    sine = 1 - z * (1.0 / 72) * sine;
    sine = 1 - z * (1.0 / 42) * sine;
    sine = 1 - z * (1.0 / 20) * sine;
    sine = r * (1 - z * (1.0 / 6) * sine); /* -0 for -0 */
    double cosine = 1 - z * (1.0 / 240);
    cosine = 1 - z * (1.0 / 182) * cosine;
    cosine = 1 - z * (1.0 / 132) * cosine;
    cosine = 1 - z * (1.0 / 90) * cosine;
    cosine = 1 - z * (1.0 / 56) * cosine;
    cosine = 1 - z * (1.0 / 30) * cosine;
    cosine = 1 - z * (1.0 / 12) * cosine;
    cosine = 1 - z * 0.5 * cosine;
    const uint64_t quarter = put_f64(shifted) + turns;
    const double value = quarter & 1 ? cosine : sine;
    return quarter & 2 ? -value : value;
}

/* log2(a) for a positive, finite, normal double: its exponent, and the series of atanh for a
 * fraction in [sqrt(1/2), sqrt(2)). */
LANES_INLINE double elementary_log2(double a) {
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd), low = UINT64_C(0x000fffffffffffff);
    const uint64_t above = put_f64(a) - root;
    /* The exponent, up to 10 bits and a sign, as a double: it is put into the fraction. */
    const uint64_t biased = ((above >> 52) + 2048) & 4095;
    const double exponent = get_f64(UINT64_C(0x4330000000000000) | biased) - (0x1p52 + 2048);
    const double fraction = get_f64((above & low) + root);
    const double s = (fraction - 1) / (fraction + 1), z = s * s;
    double sum = 1.0 / 25;
    sum = sum * z + 1.0 / 23;
    sum = sum * z + 1.0 / 21;
    sum = sum * z + 1.0 / 19;
    sum = sum * z + 1.0 / 17;
    sum = sum * z + 1.0 / 15;
    sum = sum * z + 1.0 / 13;
    sum = sum * z + 1.0 / 11;
    sum = sum * z + 1.0 / 9;
    sum = sum * z + 1.0 / 7;
    sum = sum * z + 1.0 / 5;
    sum = sum * z + 1.0 / 3;
    return exponent + (s + s * z * sum) * 0x1.71547652b82fep+1;
}

/* exp2(a) for -126 <= a < 128: a power of two, and Taylor's series of exp on [-ln2/2, ln2/2]. */
LANES_INLINE double elementary_exp2(double a) {
    const double shifted = a + ELEMENTARY_ROUND;
    const double x = (a - (shifted - ELEMENTARY_ROUND)) * 0x1.62e42fefa39efp-1;
    double sum = 1 + x * (1.0 / 14);
    sum = 1 + x * (1.0 / 13) * sum;
    sum = 1 + x * (1.0 / 12) * sum;
    sum = 1 + x * (1.0 / 11) * sum;
    sum = 1 + x * (1.0 / 10) * sum;
    sum = 1 + x * (1.0 / 9) * sum;
    sum = 1 + x * (1.0 / 8) * sum;
    sum = 1 + x * (1.0 / 7) * sum;
    sum = 1 + x * (1.0 / 6) * sum;
    sum = 1 + x * (1.0 / 5) * sum;
    sum = 1 + x * (1.0 / 4) * sum;
    sum = 1 + x * (1.0 / 3) * sum;
    sum = 1 + x * (1.0 / 2) * sum;
    sum = 1 + x * sum;
    return get_f64(put_f64(sum) + (put_f64(shifted) << 52));
}

/* All ones where a value with an error of up to 64 units in the last place could round to either of
 * two floats, or rounds to a subnormal one. A double has 29 bits more than a float. */
LANES_INLINE uint64_t elementary_doubt(double value) {
    const uint64_t bits = put_f64(value), extra = bits & UINT64_C(0x1fffffff);
    const uint64_t size = bits & INT64_MAX;
    const uint64_t close = extra - (UINT64_C(0x10000000) - 64) <= 128 ? UINT64_MAX : 0;
    const uint64_t small = size - 1 < UINT64_C(0x3810000000000000) - 1 ? UINT64_MAX : 0;
    return close | small;
}

/* The operation `name` with a full and a partial mask, and in any mode. `quick` and `exact` are
 * values of the double `a`; the first holds where `is_easy`. */
#define ELEMENTARY(name, quick, exact, is_easy)                                                    \
    LANES_INLINE void name##_in(struct simt_exec *x, const struct simt_insn *insn, bool full,      \
                                bool ftz, bool sat) {                                              \
        LANES_POINTER(f32, a)                                                                      \
        cell_32 *const row_d = LANES_ROW32(x, insn->d);                                            \
        const uint32_t *const on = x->lanes;                                                       \
        double arguments[SIMT_LANES], values[SIMT_LANES];                                          \
        uint64_t doubts[SIMT_LANES], any = 0;                                                      \
        LANES_LOOP {                                                                               \
            arguments[i] = flushed_f32(get_f32(row_a[i]), ftz);                                    \
        }                                                                                          \
        LANES_LOOP {                                                                               \
            const double a = arguments[i];                                                         \
            values[i] = (quick);                                                                   \
        }                                                                                          \
        LANES_LOOP {                                                                               \
            const double a = arguments[i];                                                         \
            doubts[i] = elementary_doubt(values[i]) | ((is_easy) ? 0 : UINT64_MAX);                \
            any |= doubts[i];                                                                      \
        }                                                                                          \
        for (unsigned i = 0; any && i < SIMT_LANES; i++) {                                         \
            const double a = arguments[i];                                                         \
            if (doubts[i] && on[i])                                                                \
                values[i] = (exact);                                                               \
        }                                                                                          \
        LANES_LOOP {                                                                               \
            const uint32_t fresh = put_f32(finished_f32((float)values[i], ftz, sat));              \
            row_d[i] = full ? fresh : lanes_keep32(on[i], fresh, row_d[i]);                        \
        }                                                                                          \
    }                                                                                              \
    LANES_INLINE void name##_lanes(struct simt_exec *x, const struct simt_insn *insn, bool full) { \
        name##_in(x, insn, full, false, false);                                                    \
    }                                                                                              \
    LANES_BOTH(name)                                                                               \
    static void name##_mode(struct simt_exec *x, const struct simt_insn *insn) {                   \
        name##_in(x, insn, false, insn->imm_flags &EXEC_FTZ, insn->imm_flags &EXEC_SAT);           \
    }
#define ELEMENTARY_ROWS(name, quick, exact, is_easy)                                               \
    {#name, "f32,f32", name##_full, name##_part},                                                  \
        {#name "_mode", "f32,f32", name##_mode, name##_mode},
