/*
 * Single-precision arithmetic, PTX ISA section 9.7.3: IEEE 754 results, in the default mode and in
 * any other (modes.h). Approximations are in approx.c.
 */
#include "common/simt/program/isa/ops/modes.h"

/* min and max: the operand that is a number, and -0 below +0. */
LANES_INLINE float min_f32(float a, float b) {
    const float equal = get_f32(put_f32(a) | put_f32(b));
    const float low = a < b ? a : a > b ? b : equal;
    return a != a ? b : b != b ? a : low;
}
LANES_INLINE float max_f32(float a, float b) {
    const float equal = get_f32(put_f32(a) & put_f32(b));
    const float high = a > b ? a : a < b ? b : equal;
    return a != a ? b : b != b ? a : high;
}

/* .NaN: a NaN among the operands is the result. */
LANES_INLINE float or_nan(float a, float b, float result) {
    return a != a ? a : b != b ? b : result;
}

/* .xorsign.abs: of the magnitudes, with the product of the signs. */
LANES_INLINE float xor_sign(float a, float b, float magnitude) {
    const uint32_t sign = (put_f32(a) ^ put_f32(b)) & UINT32_C(0x80000000);
    return get_f32((put_f32(magnitude) & UINT32_C(0x7fffffff)) | sign);
}

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    BINARY(add_f32, f32, f32, f32, a + b)                                                          \
    BINARY(sub_f32, f32, f32, f32, a - b)                                                          \
    BINARY(mul_f32, f32, f32, f32, a * b)                                                          \
    BINARY(div_f32, f32, f32, f32, a / b)                                                          \
    TERNARY(fma_f32, f32, f32, f32, f32, fmaf(a, b, c))                                            \
    TERNARY(fma_minus_f32, f32, f32, f32, f32, fmaf(a, b, -c))                                     \
    TERNARY(fma_from_f32, f32, f32, f32, f32, fmaf(-a, b, c))                                      \
    TERNARY(mad_f32, f32, f32, f32, f32, fmaf(a, b, c))                                            \
    UNARY(rcp_f32, f32, f32, 1.0f / a)                                                             \
    UNARY(sqrt_f32, f32, f32, sqrtf(a))                                                            \
    UNARY(neg_f32, f32, f32, -a)                                                                   \
    UNARY(abs_f32, f32, f32, fabsf(a))                                                             \
    BINARY(min_f32, f32, f32, f32, min_f32(a, b))                                                  \
    BINARY(max_f32, f32, f32, f32, max_f32(a, b))                                                  \
    BINARY(min_NaN_f32, f32, f32, f32, or_nan(a, b, min_f32(a, b)))                                \
    BINARY(max_NaN_f32, f32, f32, f32, or_nan(a, b, max_f32(a, b)))                                \
    BINARY(min_xorsign_abs_f32, f32, f32, f32, xor_sign(a, b, min_f32(fabsf(a), fabsf(b))))        \
    BINARY(max_xorsign_abs_f32, f32, f32, f32, xor_sign(a, b, max_f32(fabsf(a), fabsf(b))))        \
    BINARY(min_NaN_xorsign_abs_f32, f32, f32, f32,                                                 \
           or_nan(a, b, xor_sign(a, b, min_f32(fabsf(a), fabsf(b)))))                              \
    BINARY(max_NaN_xorsign_abs_f32, f32, f32, f32,                                                 \
           or_nan(a, b, xor_sign(a, b, max_f32(fabsf(a), fabsf(b)))))
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, LANES_DEFINE_TERNARY)
OPERATIONS(MODE_UNARY, MODE_BINARY, MODE_TERNARY)

/* Bits alone: a NaN stays the one that it is. */
LANES_DEFINE_BINARY(copysign_f32, b32, b32, b32,
                    (a & UINT32_C(0x80000000)) | (b & UINT32_C(0x7fffffff)))

/* testp: what kind of number it is, from its bits. Zero is normal. */
#define TESTP(name, expression)                                                                    \
    static void testp_##name##_f32(struct simt_exec *x, const struct simt_insn *insn) {            \
        LANES_POINTER(b32, a)                                                                      \
        uint32_t holds = 0;                                                                        \
        LANES_LOOP {                                                                               \
            const uint32_t m = row_a[i] & UINT32_C(0x7fffffff);                                    \
            holds |= (expression) ? lanes_bit[i] : 0;                                              \
        }                                                                                          \
        lanes_set_pred(x, insn->d, holds);                                                         \
    }
/* clang-format off */
#define TESTS(X)                                                                                   \
    X(finite, m < UINT32_C(0x7f800000))                                                            \
    X(infinite, m == UINT32_C(0x7f800000))                                                         \
    X(number, m <= UINT32_C(0x7f800000))                                                           \
    X(notanumber, m > UINT32_C(0x7f800000))                                                        \
    X(normal, m == 0 || (m >= UINT32_C(0x00800000) && m < UINT32_C(0x7f800000)))                              \
    X(subnormal, m != 0 && m < UINT32_C(0x00800000))
/* clang-format on */
TESTS(TESTP)
#define TESTP_ROW(name, expression)                                                                \
    {"testp_" #name "_f32", "pred,f32", testp_##name##_f32, testp_##name##_f32},

/* clang-format off */
static const struct exec_variant rows[] = {
    OPERATIONS(LANES_ROW_UNARY, LANES_ROW_BINARY, LANES_ROW_TERNARY)
    OPERATIONS(MODE_ROW_UNARY, MODE_ROW_BINARY, MODE_ROW_TERNARY)
    LANES_ROW_BINARY(copysign_f32, b32, b32, b32, )
    TESTS(TESTP_ROW)
};
/* clang-format on */
EXEC_EXPORT(single, rows)
