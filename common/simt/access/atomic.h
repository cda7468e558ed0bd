/*
 * What atomics of one element and wide ones (of vectors, of 128 bits) share: how floating-point
 * numbers are added where they lie, and how operations are found by name.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "common/simt/program/isa/half.h"
#include "common/simt/access/access.h"

/* Global memory adds floats where they lie, without subnormals (PTX ISA 9.7.13, "atom"); shared
 * memory as add.f32 does. What is no number has all its bits set, as everywhere. */
static inline float sum_f32(float a, float b, bool is_global) {
    const bool flush_a = is_global && fabsf(a) < 0x1p-126f;
    const bool flush_b = is_global && fabsf(b) < 0x1p-126f;
    const float sum = (flush_a ? copysignf(0, a) : a) + (flush_b ? copysignf(0, b) : b);
    const uint32_t no_number = INT32_MAX;
    float result = is_global && fabsf(sum) < 0x1p-126f ? copysignf(0, sum) : sum;
    if (sum != sum)
        memcpy(&result, &no_number, sizeof(result));
    return result;
}

/* A NaN in global memory keeps its bits, and the operand's come first; shared memory adds as
 * add.f64 does, with the old value first. */
static inline double sum_f64(double a, double b, bool is_global) {
    const double sum = a + b;
    const double first = is_global ? b : a, second = is_global ? a : b;
    const double given = first != first ? first : second;
    const uint64_t invalid = UINT64_C(0xfff8000000000000), quiet = UINT64_C(0x0008000000000000);
    uint64_t bits;
    if (sum == sum)
        return sum;
    memcpy(&bits, given != given ? (const void *)&given : (const void *)&invalid, sizeof(bits));
    bits |= is_global ? 0 : quiet;
    double result;
    memcpy(&result, &bits, sizeof(result));
    return result;
}

static inline uint32_t pair_add(uint32_t a, uint32_t b, struct half_format format) {
    return (uint32_t)half_add((uint16_t)(a >> 16), (uint16_t)(b >> 16), format) << 16 |
           half_add((uint16_t)a, (uint16_t)b, format);
}

/* Whether an atomic is the operation of a table's row: ISA_DOT_ADD, PTX_F32. */
bool simt_atomic_is(const struct simt_insn *insn, const struct ptx_insn *source,
                    enum isa_modifier operation, enum ptx_type type);

/* wide.c: picks the operation of an atomic of a vector or of 128 bits; false when there is none. */
bool simt_wide_atomic_op(struct simt_insn *insn, const struct ptx_insn *source);
