/*
 * The conversions that compilers make all the time, as vectors: between integers whose registers
 * are as wide as their types, and between those and floating point in the default modes. cast.c
 * does all others, a lane at a time. PTX ISA section 9.7.9, "cvt".
 */
#include "common/simt/isa/ops/lanes.h"

/* Integer to integer: the source's sign extends, the destination's width cuts. */
#define WIDEN(X, td)                                                                               \
    X(cvt_##td##_u8, td, u8, a)                                                                    \
    X(cvt_##td##_s8, td, s8, a)                                                                    \
    X(cvt_##td##_u16, td, u16, a)                                                                  \
    X(cvt_##td##_s16, td, s16, a)                                                                  \
    X(cvt_##td##_u32, td, u32, a)                                                                  \
    X(cvt_##td##_s32, td, s32, a)                                                                  \
    X(cvt_##td##_b64, td, b64, a)

/* Floating point to integer: clamped to the destination's range; NaN is 0 from .f32, the highest
 * bit alone from .f64 (PTX ISA 9.0, "cvt"). */
#define CLAMP(v, nan, low, high)                                                                   \
    ((v) != (v) ? (nan) : (v) < (low) ? (low) : (v) > (high) ? (high) : (v))

/* What is left of a NaN's bits, quiet. */
LANES_INLINE uint32_t narrowed(double v) {
    const uint64_t bits = put_f64(v);
    const uint32_t nan =
        (uint32_t)(bits >> 32 & 0x80000000) | 0x7fc00000 | (uint32_t)(bits >> 29 & 0x003fffff);
    return v == v ? put_f32((float)v) : nan;
}

/* tf32 is a float of which 13 bits are cut off: to nearest, ties away from zero or to even. */
LANES_INLINE uint32_t tf32_away(uint32_t v) {
    const uint32_t infinity = UINT32_C(0x7f800000);
    return (v + ((v & infinity) == infinity ? 0 : 0x1000)) & ~UINT32_C(0x1fff);
}
LANES_INLINE uint32_t tf32_even(uint32_t v) {
    const uint32_t nan = UINT32_C(0x7fffe000), even = v >> 13 & 1;
    return (v & INT32_MAX) > UINT32_C(0x7f800000) ? nan : (v + 0xfff + even) & ~UINT32_C(0x1fff);
}

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    WIDEN(UNARY, b16)                                                                              \
    WIDEN(UNARY, b32)                                                                              \
    WIDEN(UNARY, b64)                                                                              \
    UNARY(cvt_f32_s8, f32, s8, (float)a)                                                           \
    UNARY(cvt_f32_u8, f32, u8, (float)a)                                                           \
    UNARY(cvt_f32_s16, f32, s16, (float)a)                                                         \
    UNARY(cvt_f32_u16, f32, u16, (float)a)                                                         \
    UNARY(cvt_f64_s8, f64, s8, (double)a)                                                          \
    UNARY(cvt_f64_u8, f64, u8, (double)a)                                                          \
    UNARY(cvt_f64_s16, f64, s16, (double)a)                                                        \
    UNARY(cvt_f64_u16, f64, u16, (double)a)                                                        \
    UNARY(cvt_f32_s32, f32, s32, (float)a)                                                         \
    UNARY(cvt_f32_u32, f32, u32, (float)a)                                                         \
    UNARY(cvt_f32_s64, f32, s64, (float)a)                                                         \
    UNARY(cvt_f32_u64, f32, u64, (float)a)                                                         \
    UNARY(cvt_f64_s32, f64, s32, (double)a)                                                        \
    UNARY(cvt_f64_u32, f64, u32, (double)a)                                                        \
    UNARY(cvt_f64_s64, f64, s64, (double)a)                                                        \
    UNARY(cvt_f64_u64, f64, u64, (double)a)                                                        \
    UNARY(cvt_f64_f32, f64, f32, (double)a)                                                        \
    UNARY(cvt_f32_f64, b32, f64, narrowed(a))                                                      \
    UNARY(cvt_rni_s32_f32, s32, f32, CLAMP(rint((double)a), 0.0, -0x1p31, 0x1p31 - 1))             \
    UNARY(cvt_rmi_s32_f32, s32, f32, CLAMP(floor((double)a), 0.0, -0x1p31, 0x1p31 - 1))            \
    UNARY(cvt_rpi_s32_f32, s32, f32, CLAMP(ceil((double)a), 0.0, -0x1p31, 0x1p31 - 1))             \
    UNARY(cvt_rna_tf32_f32, b32, b32, tf32_away(a))                                                \
    UNARY(cvt_tf32_f32, b32, b32, tf32_even(a))                                                    \
    UNARY(cvt_rni_f32_f32, f32, f32, rintf(a))                                                     \
    UNARY(cvt_rzi_f32_f32, f32, f32, truncf(a))                                                    \
    UNARY(cvt_rmi_f32_f32, f32, f32, floorf(a))                                                    \
    UNARY(cvt_rpi_f32_f32, f32, f32, ceilf(a))                                                     \
    UNARY(cvt_rzi_s32_f64, s32, f64, CLAMP(a, -0x1p31, -0x1p31, 0x1p31 - 1))                                \
    UNARY(cvt_rzi_s32_f32, s32, f32, CLAMP((double)a, 0.0, -0x1p31, 0x1p31 - 1))                        \
    UNARY(cvt_rzi_u32_f64, u32, f64, (int64_t)CLAMP(a, 0x1p31, 0.0, 0x1p32 - 1))                           \
    UNARY(cvt_rzi_u32_f32, u32, f32, (int64_t)CLAMP((double)a, 0.0, 0.0, 0x1p32 - 1))
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, , )

static const struct exec_variant rows[] = {OPERATIONS(LANES_ROW_UNARY, , )};
EXEC_EXPORT(convert, rows)
