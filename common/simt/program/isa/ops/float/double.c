/*
 * Double-precision arithmetic, PTX ISA section 9.7.3: IEEE 754 results. There is no .ftz and no
 * .sat; the "_mode" rows are those of other roundings.
 */
#include "common/simt/program/isa/ops/modes.h"

/*
 * A NaN keeps its bits and becomes quiet. Of several the hardware takes that of operand b, then
 * that of c, of a quotient that of a; what is made of numbers alone is negative.
 */
LANES_INLINE double quiet(double v) {
    return get_f64(put_f64(v) | UINT64_C(0x0008000000000000));
}
LANES_INLINE double settled(double v, double first, double second, double third) {
    const double other = second != second ? second : third;
    const double given = first != first ? first : other;
    const double nan = get_f64(given != given ? put_f64(given) : UINT64_C(0xfff0000000000000));
    return v == v ? v : quiet(nan);
}

/* As of single precision: a number before a NaN, -0 below +0. */
LANES_INLINE double min_f64(double a, double b) {
    const double equal = get_f64(put_f64(a) | put_f64(b));
    const double low = a < b ? a : a > b ? b : equal;
    return settled(a != a ? b : b != b ? a : low, b, a, a);
}
LANES_INLINE double max_f64(double a, double b) {
    const double equal = get_f64(put_f64(a) & put_f64(b));
    const double high = a > b ? a : a < b ? b : equal;
    return settled(a != a ? b : b != b ? a : high, b, a, a);
}

/* clang-format off */
#define ROUNDED(UNARY, BINARY, TERNARY)                                                            \
    BINARY(add_f64, f64, f64, f64, settled(a + b, b, a, a))                                                          \
    BINARY(sub_f64, f64, f64, f64, settled(a - b, b, a, a))                                                          \
    BINARY(mul_f64, f64, f64, f64, settled(a * b, b, a, a))                                                          \
    BINARY(div_f64, f64, f64, f64, settled(a / b, a, b, b))                                                          \
    TERNARY(fma_f64, f64, f64, f64, f64, settled(fma(a, b, c), b, c, a))                            \
    TERNARY(fma_minus_f64, f64, f64, f64, f64, settled(fma(a, b, -c), b, c, a))                    \
    TERNARY(fma_from_f64, f64, f64, f64, f64, settled(fma(-a, b, c), b, c, a))                                             \
    TERNARY(mad_f64, f64, f64, f64, f64, settled(fma(a, b, c), b, c, a))                                             \
    UNARY(rcp_f64, f64, f64, settled(1.0 / a, a, a, a))                                                              \
    UNARY(sqrt_f64, f64, f64, settled(sqrt(a), a, a, a))
#define EXACT(UNARY, BINARY, TERNARY)                                                              \
    UNARY(neg_f64, f64, f64, settled(-a, a, a, a))                                                                   \
    UNARY(abs_f64, f64, f64, settled(fabs(a), a, a, a))                                                              \
    BINARY(min_f64, f64, f64, f64, min_f64(a, b))                                                  \
    BINARY(max_f64, f64, f64, f64, max_f64(a, b))                                                  \
    BINARY(copysign_f64, f64, f64, f64, copysign(b, a))
/* clang-format on */

ROUNDED(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, LANES_DEFINE_TERNARY)
EXACT(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, LANES_DEFINE_TERNARY)

/* The same loops under another rounding of the host. */
#define OTHER(name)                                                                                \
    static void name##_mode(struct simt_exec *x, const struct simt_insn *insn) {                   \
        const int rounding = rounding_begin(insn);                                                 \
        name##_lanes(x, insn, false);                                                              \
        rounding_end(rounding);                                                                    \
    }
#define OTHER_UNARY(name, td, ta, expression)           OTHER(name)
#define OTHER_BINARY(name, td, ta, tb, expression)      OTHER(name)
#define OTHER_TERNARY(name, td, ta, tb, tc, expression) OTHER(name)
ROUNDED(OTHER_UNARY, OTHER_BINARY, OTHER_TERNARY)

#define TESTP(name, expression)                                                                    \
    static void testp_##name##_f64(struct simt_exec *x, const struct simt_insn *insn) {            \
        LANES_POINTER(b64, a)                                                                      \
        uint32_t holds = 0;                                                                        \
        LANES_LOOP {                                                                               \
            const uint64_t m = row_a[i] & UINT64_C(0x7fffffffffffffff);                            \
            holds |= (expression) ? lanes_bit[i] : 0;                                              \
        }                                                                                          \
        lanes_set_pred(x, insn->d, holds);                                                         \
    }
/* clang-format off */
#define TESTS(X)                                                                                   \
    X(finite, m < UINT64_C(0x7ff0000000000000))                                                    \
    X(infinite, m == UINT64_C(0x7ff0000000000000))                                                 \
    X(number, m <= UINT64_C(0x7ff0000000000000))                                                   \
    X(notanumber, m > UINT64_C(0x7ff0000000000000))                                                \
    X(normal, m == 0 || (m >= UINT64_C(0x0010000000000000) && m < UINT64_C(0x7ff0000000000000)))              \
    X(subnormal, m != 0 && m < UINT64_C(0x0010000000000000))
/* clang-format on */
TESTS(TESTP)
#define TESTP_ROW(name, expression)                                                                \
    {"testp_" #name "_f64", "pred,f64", testp_##name##_f64, testp_##name##_f64},

/* clang-format off */
static const struct exec_variant rows[] = {
    ROUNDED(LANES_ROW_UNARY, LANES_ROW_BINARY, LANES_ROW_TERNARY)
    ROUNDED(MODE_ROW_UNARY, MODE_ROW_BINARY, MODE_ROW_TERNARY)
    EXACT(LANES_ROW_UNARY, LANES_ROW_BINARY, LANES_ROW_TERNARY)
    TESTS(TESTP_ROW)
};
/* clang-format on */
EXEC_EXPORT(double, rows)
