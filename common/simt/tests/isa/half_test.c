/*
 * f16 and bf16: arithmetic, comparison, conversion, one and two to a register.
 */
#include <criterion/criterion.h>

#include "common/simt/program/isa/half.h"
#include "common/simt/tests/isa/cases.h"

#define HALF(op, a, b) "mov.b16 %rs1, " #a ";\nmov.b16 %rs2, " #b ";\n" op " %rs0, %rs1, %rs2"
#define ONE(op, a)     "mov.b16 %rs1, " #a ";\n" op " %rs0, %rs1"
#define FMA(op, a, b, c)                                                                           \
    "mov.b16 %rs1, " #a ";\nmov.b16 %rs2, " #b ";\nmov.b16 %rs3, " #c ";\n" op                     \
    " %rs0, %rs1, %rs2, %rs3"

Test(half, rounds_once_to_sixteen_bits) {
    static const struct exec_case cases[] = {
        {HALF("add.f16", 0x3c00, 0x4000), 0x4200},           /* 1 + 2 */
        {HALF("add.f16", 0x3c00, 0x1000), 0x3c00},           /* a tie goes to even */
        {HALF("add.f16", 0x3c01, 0x1000), 0x3c02},           /* and up where even is up */
        {HALF("sub.f16", 0x3c00, 0x3c00), 0x0000},           /* 1 - 1 */
        {HALF("mul.f16", 0x7bff, 0x4000), 0x7c00},           /* overflow */
        {HALF("mul.f16", 0x0001, 0x3800), 0x0000},           /* half the least subnormal */
        {HALF("mul.f16", 0x0003, 0x3800), 0x0002},           /* 1.5 subnormals */
        {HALF("mul.f16", 0x7c00, 0x0000), 0x7fff},           /* inf * 0 */
        {HALF("add.ftz.f16", 0x0001, 0x0000), 0x0000},       /* flushed */
        {HALF("add.sat.f16", 0x3c00, 0x4000), 0x3c00},       /* clamped */
        {FMA("fma.rn.f16", 0x3c01, 0x3c01, 0x8000), 0x3c02}, /* one rounding */
        {FMA("fma.rn.relu.f16", 0x3c00, 0xc000, 0x3c00), 0x0000},
        {HALF("add.bf16", 0x3f80, 0x4000), 0x4040},
        {HALF("mul.bf16", 0x7f7f, 0x4000), 0x7f80},
        {FMA("fma.rn.bf16", 0x3f83, 0x3fc0, 0x0001), 0x3fc5}, /* a tie that the addend breaks */
        {FMA("fma.rn.bf16", 0x3f81, 0x3fc0, 0x8001), 0x3fc1},
    };
    EXEC_CHECK(cases);
}

Test(half, orders_numbers_zeros_and_nan) {
    static const struct exec_case cases[] = {
        {HALF("min.f16", 0x8000, 0x0000), 0x8000},
        {HALF("max.f16", 0x8000, 0x0000), 0x0000},
        {HALF("min.f16", 0x7e00, 0x3c00), 0x3c00},
        {HALF("min.NaN.f16", 0x7e00, 0x3c00), 0x7fff},
        {HALF("max.bf16", 0x3f80, 0xc000), 0x3f80},
        {HALF("set.lt.f16.f16", 0x3c00, 0x4000), 0x3c00},
        {HALF("set.geu.f16.f16", 0x7e00, 0x0), 0x3c00},
        {HALF("set.eq.bf16.bf16", 0x3f80, 0x3f80), 0x3f80},
        {ONE("neg.f16", 0x3c00), 0xbc00},
        {ONE("abs.bf16", 0xff80), 0x7f80},
    };
    EXEC_CHECK(cases);
}

Test(half, works_on_both_halves_of_a_pair) {
    static const struct exec_case cases[] = {
        {"add.f16x2 %r0, 0x3c004000, 0x40004000", 0x42004400},
        {"mul.bf16x2 %r0, 0x3f804000, 0x40004040", 0x400040c0},
        {"fma.rn.relu.f16x2 %r0, 0x3c00bc00, 0x3c003c00, 0x00000000", 0x3c000000},
        {"neg.f16x2 %r0, 0x3c00bc00", 0xbc003c00},
        {"max.NaN.f16x2 %r0, 0x7e003c00, 0x3c004000", 0x7fff4000},
        {"set.gt.u32.f16x2 %r0, 0x40003c00, 0x3c004000", 0xffff0000},
        {"set.eq.f16x2.f16x2 %r0, 0x40003c00, 0x3c003c00", 0x00003c00},
        {"cvt.rn.f16x2.f32 %r0, 0f3F800000, 0f40000000", 0x3c004000},
        {"cvt.rn.bf16x2.f32 %r0, 0f3F800000, 0f40000000", 0x3f804000},
        {"cvt.rn.relu.bf16x2.f32 %r0, 0fBF800000, 0f40000000", 0x00004000},
    };
    EXEC_CHECK(cases);
}

Test(half, converts_from_and_to_other_types) {
    static const struct exec_case cases[] = {
        {"cvt.rn.f16.f32 %rs0, 0f477FF000", 0x7c00}, /* 65520 rounds to infinity */
        {"cvt.rz.f16.f32 %rs0, 0f477FF000", 0x7bff},
        {"cvt.rp.f16.f32 %rs0, 0f00000001", 0x0001},
        {"cvt.rm.f16.f32 %rs0, 0f80000001", 0x8001},
        {"cvt.rn.f16.f64 %rs0, 0d3FF0020000000001", 0x3c01}, /* just above a tie */
        {"cvt.rn.f16.s32 %rs0, 2049", 0x6800},
        {"cvt.rz.f16.u32 %rs0, 65536", 0x7bff},
        {"cvt.rn.bf16.s64 %rs0, 0x4040000000000001", 0x5e81},
        {"cvt.rn.bf16.f32 %rs0, 0f3F808000", 0x3f80},
        {"cvt.rn.bf16.f32 %rs0, 0f7FC00000", 0x7fff},
        {"mov.b16 %rs1, 0x0001;\ncvt.f32.f16 %f0, %rs1", 0x33800000},
        {"mov.b16 %rs1, 0xbf80;\ncvt.f32.bf16 %f0, %rs1", 0xbf800000},
        {"mov.b16 %rs1, 0x7c01;\ncvt.f32.f16 %f0, %rs1", 0x7fffffff},
        {"mov.b16 %rs1, 0xc100;\ncvt.rni.s32.f16 %r0, %rs1", 0xfffffffe}, /* -2.5 */
        {"mov.b16 %rs1, 0xc100;\ncvt.rmi.f16.f16 %rs0, %rs1", 0xc200},
        {"mov.b16 %rs1, 0x5bff;\ncvt.rzi.u8.f16 %rs0, %rs1", 0xff},
    };
    EXEC_CHECK(cases);
}

Test(half, holds_every_number_of_sixteen_bits) {
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        const double f16 = half_widen((uint16_t)bits, HALF_F16);
        const double bf16 = half_widen((uint16_t)bits, HALF_BF16);
        if (!isnan(f16))
            cr_assert_eq(half_narrow(f16, HALF_F16, EXEC_RN), bits);
        if (!isnan(bf16))
            cr_assert_eq(half_narrow(bf16, HALF_BF16, EXEC_RN), bits);
    }
}

Test(half, signs_of_a_nan_are_canonical_and_relu_takes_minus_zero) {
    static const struct exec_case cases[] = {
        {"mov.b32 %r1, 0x7e013c00; neg.f16x2 %r0, %r1", 0x7fffbc00},
        {"mov.b32 %r1, 0xfe01bc00; abs.f16x2 %r0, %r1", 0x7fff3c00},
        {"mov.b32 %r1, 0x80008000; fma.rn.relu.f16x2 %r0, %r1, 0x3c003c00, %r1", 0},
    };
    EXEC_CHECK(cases);
}
