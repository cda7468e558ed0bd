/*
 * Floating-point numbers of 16 bits: f16 (IEEE 754 binary16) and bf16 (the upper half of an f32).
 *
 * They are computed with in double precision. A sum that a double does not hold is rounded to odd
 * there, so that the rounding to 16 bits, which follows, is the only one that counts (Boldo and
 * Melquiond, "Emulation of FMA and Correctly Rounded Sums", 2008).
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/simt/program/isa/variants.h"

/* Bits of the fraction, exponents of the least and the largest normal number. */
struct half_format {
    int fraction_bits, least, most;
};
#define HALF_F16  ((struct half_format){10, -14, 15})
#define HALF_BF16 ((struct half_format){7, -126, 127})
#define HALF_NAN  UINT16_C(0x7fff)

static inline double half_widen(uint16_t bits, struct half_format format) {
    const unsigned fraction = bits & ((1u << format.fraction_bits) - 1);
    const int exponent = (bits & 0x7fff) >> format.fraction_bits;
    const double sign = bits & 0x8000 ? -1.0 : 1.0;
    if (exponent > format.most - format.least + 1)
        return fraction ? copysign(NAN, sign) : sign * INFINITY;
    const unsigned whole = exponent ? fraction + (1u << format.fraction_bits) : fraction;
    const int shift = (exponent ? exponent - 1 : 0) + format.least - format.fraction_bits;
    const uint64_t scale_bits = (uint64_t)(1023 + shift) << 52;
    double scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    return sign * (double)whole * scale;
}

/* `value` to an integer. */
static inline double half_round(double value, enum exec_rounding rounding) {
    switch (rounding) {
    case EXEC_RZ:
        return trunc(value);
    case EXEC_RM:
        return floor(value);
    case EXEC_RP:
        return ceil(value);
    default:
        return nearbyint(value); /* ties to even: the host's usual mode */
    }
}

/* A NaN becomes the GPU's canonical one. */
static inline uint16_t half_narrow(double value, struct half_format format,
                                   enum exec_rounding rounding) {
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const uint16_t infinite = (uint16_t)((format.most - format.least + 2) << format.fraction_bits);
    if (isnan(value))
        return HALF_NAN;
    if (isinf(value))
        return sign | infinite;
    int exponent = value == 0 ? format.least : ilogb(value);
    exponent = exponent < format.least ? format.least : exponent;
    const double steps = fabs(half_round(ldexp(value, format.fraction_bits - exponent), rounding));
    /* A carry out of the fraction raises the exponent by itself. */
    const long bits = (long)steps + ((long)(exponent - format.least) << format.fraction_bits);
    if (exponent > format.most || bits >= infinite) {
        const bool away =
            rounding == EXEC_RN || (rounding == EXEC_RP && !sign) || (rounding == EXEC_RM && sign);
        return (uint16_t)(sign | (away ? infinite : infinite - 1));
    }
    return (uint16_t)(sign | bits);
}

/* a + b, rounded to odd. */
static inline double half_sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    const double error = (a - (sum - part)) + (b - part);
    uint64_t bits;
    if (!isfinite(sum) || error == 0)
        return sum;
    memcpy(&bits, &sum, sizeof bits);
    if (!(bits & 1))
        bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

/* The nearest number to a + b. */
static inline uint16_t half_add(uint16_t a, uint16_t b, struct half_format format) {
    return half_narrow(half_sum(half_widen(a, format), half_widen(b, format)), format, EXEC_RN);
}
