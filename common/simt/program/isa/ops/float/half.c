/*
 * Half precision, PTX ISA section 9.7.4: f16 and bf16, one or two to a register. Operands are
 * widened to double, computed with, and rounded once (half.h).
 */
#include "common/simt/program/isa/half.h"
#include "common/simt/program/isa/ops/lanes.h"

/* Subnormal numbers are zero with .ftz. */
LANES_INLINE double flushed(double v, const struct simt_insn *insn, struct half_format f) {
    return insn->imm_flags & EXEC_FTZ && fabs(v) < ldexp(1, f.least) ? copysign(0, v) : v;
}

LANES_INLINE double read_half(uint16_t bits, const struct simt_insn *insn, struct half_format f) {
    return flushed(half_widen(bits, f), insn, f);
}

LANES_INLINE uint16_t finished(double v, const struct simt_insn *insn, struct half_format f) {
    const enum exec_rounding rounding = insn->imm_flags >> EXEC_ROUND_SHIFT;
    const double low = v > 0 ? v : 0;
    const double kept = insn->imm_flags & EXEC_SAT ? LANES_MIN(low, 1.0) : v;
    const uint16_t bits = half_narrow(kept, f, rounding);
    return half_narrow(read_half(bits, insn, f), f, EXEC_RN);
}

/* Negative numbers and -0 become zero, a NaN stays. */
LANES_INLINE double relu(double v) {
    return v <= 0 ? 0 : v;
}

/* The number of the two; of -0 and +0, -0 is less. */
LANES_INLINE double lesser(double a, double b) {
    const double equal = signbit(a) ? a : b;
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : equal;
}
LANES_INLINE double greater(double a, double b) {
    return -lesser(-a, -b);
}
LANES_INLINE double or_nan(double a, double b, double v) {
    return a != a ? a : b != b ? b : v;
}
LANES_INLINE double xor_sign(double a, double b, double v) {
    return copysign(v, !signbit(a) == !signbit(b) ? 1.0 : -1.0);
}

/* What the special function unit gives: a float, of which the half keeps the upper bits. */
LANES_INLINE double cut(double v, struct half_format f) {
    const float whole = (float)v;
    return fabsf(whole) >= ldexp(2, f.most) ? copysign(INFINITY, v)
                                            : half_widen(half_narrow(whole, f, EXEC_RZ), f);
}
LANES_INLINE double tanh_of_unit(double v) {
    return fabs(v) < 0x1p-8 ? v : tanh(v);
}

/* Name, operands, value. */
/* clang-format off */
#define OPERATIONS(X)                                                                              \
    X(add, 2, half_sum(a, b))                                                                      \
    X(sub, 2, half_sum(a, -b))                                                                     \
    X(mul, 2, a * b)                                                                               \
    X(fma, 3, half_sum(a * b, c))                                                                  \
    X(fma_relu, 3, relu(half_sum(a * b, c)))                                                       \
    X(min, 2, lesser(a, b))                                                                        \
    X(max, 2, greater(a, b))                                                                       \
    X(min_NaN, 2, or_nan(a, b, lesser(a, b)))                                                      \
    X(max_NaN, 2, or_nan(a, b, greater(a, b)))                                                     \
    X(min_xorsign_abs, 2, xor_sign(a, b, lesser(fabs(a), fabs(b))))                                \
    X(max_xorsign_abs, 2, xor_sign(a, b, greater(fabs(a), fabs(b))))                               \
    X(min_NaN_xorsign_abs, 2, or_nan(a, b, xor_sign(a, b, lesser(fabs(a), fabs(b)))))              \
    X(max_NaN_xorsign_abs, 2, or_nan(a, b, xor_sign(a, b, greater(fabs(a), fabs(b)))))             \
    X(ex2_approx, 1, cut(exp2(a), format))                                                         \
    X(tanh_approx, 1, cut(tanh_of_unit(a), format))
/* clang-format on */

/* One half of a lane: `shift` bits up in the cell. */
#define OPERAND(slot, n, arity, f)                                                                 \
    const double slot =                                                                            \
        arity >= n ? read_half((uint16_t)(LANES_ROW32(x, insn->slot)[i] >> shift), insn, f) : 0;

#define LOOP(name, arity, expression, t, f, bits)                                                  \
    static void name##_##t(struct simt_exec *x, const struct simt_insn *insn) {                    \
        const struct half_format format = f;                                                       \
        cell_32 *const row_d = LANES_ROW32(x, insn->d);                                            \
        (void)format;                                                                              \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            if (!(x->mask & lanes_bit[i]))                                                         \
                continue;                                                                          \
            uint32_t fresh = 0;                                                                    \
            for (unsigned shift = 0; shift < (bits); shift += 16) {                                \
                OPERAND(a, 1, arity, f)                                                            \
                OPERAND(b, 2, arity, f) OPERAND(c, 3, arity, f)(void) a, (void)b, (void)c;         \
                fresh |= (uint32_t)finished(expression, insn, f) << shift;                         \
            }                                                                                      \
            row_d[i] = fresh;                                                                      \
        }                                                                                          \
    }
#define FORMATS(X, name, arity, expression)                                                        \
    X(name, arity, expression, f16, HALF_F16, 16)                                                  \
    X(name, arity, expression, f16x2, HALF_F16, 32)                                                \
    X(name, arity, expression, bf16, HALF_BF16, 16)                                                \
    X(name, arity, expression, bf16x2, HALF_BF16, 32)
#define DEFINE(name, arity, expression) FORMATS(LOOP, name, arity, expression)
OPERATIONS(DEFINE)

/* neg and abs look at the sign alone, except that .ftz flushes and a NaN is the canonical one. */
#define SIGN(name, t, f, bits, expression)                                                         \
    static void name##_##t(struct simt_exec *x, const struct simt_insn *insn) {                    \
        const cell_32 *const row_a = LANES_ROW32(x, insn->a);                                      \
        cell_32 *const row_d = LANES_ROW32(x, insn->d);                                            \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            uint32_t fresh = 0;                                                                    \
            for (unsigned shift = 0; shift < (bits); shift += 16) {                                \
                const uint16_t given = (uint16_t)(row_a[i] >> shift);                              \
                const uint16_t h = insn->imm_flags & EXEC_FTZ                                      \
                                       ? half_narrow(read_half(given, insn, f), f, EXEC_RN)        \
                                       : given;                                                    \
                const uint32_t fixed =                                                             \
                    isnan(half_widen(h, f)) ? HALF_NAN : (uint16_t)(expression);                   \
                fresh |= fixed << shift;                                                           \
            }                                                                                      \
            row_d[i] = x->mask & lanes_bit[i] ? fresh : row_d[i];                                  \
        }                                                                                          \
    }
#define SIGNS(t, f, bits)                                                                          \
    SIGN(neg, t, f, bits, h ^ 0x8000)                                                              \
    SIGN(abs, t, f, bits, h & 0x7fff)
SIGNS(f16, HALF_F16, 16)
SIGNS(f16x2, HALF_F16, 32)
SIGNS(bf16, HALF_BF16, 16)
SIGNS(bf16x2, HALF_BF16, 32)

/* Two floats to a pair: a goes up, b down. */
#define PAIR(t, f, relu_name, value)                                                               \
    static void cvt_##relu_name##t##x2(struct simt_exec *x, const struct simt_insn *insn) {        \
        const enum exec_rounding rounding = insn->imm_flags >> EXEC_ROUND_SHIFT;                   \
        cell_32 *const row_d = LANES_ROW32(x, insn->d);                                            \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const double high = get_f32(LANES_ROW32(x, insn->a)[i]);                               \
            const double low = get_f32(LANES_ROW32(x, insn->b)[i]);                                \
            const uint32_t fresh = (uint32_t)half_narrow(value(high), f, rounding) << 16 |         \
                                   half_narrow(value(low), f, rounding);                           \
            row_d[i] = x->mask & lanes_bit[i] ? fresh : row_d[i];                                  \
        }                                                                                          \
    }
#define SAME(v) (v)
PAIR(f16, HALF_F16, , SAME)
PAIR(bf16, HALF_BF16, , SAME)
PAIR(f16, HALF_F16, relu_, relu)
PAIR(bf16, HALF_BF16, relu_, relu)

#define ROW(name, signature, run) {name, signature, run, run}, {name "_mode", signature, run, run},
#define SIGNATURE_1(t)            #t "," #t
#define SIGNATURE_2(t)            #t "," #t "," #t
#define SIGNATURE_3(t)            #t "," #t "," #t "," #t
#define ROW_OF(name, arity, expression, t, f, bits)                                                \
    ROW(#name "_" #t, SIGNATURE_##arity(t), name##_##t)
#define ROWS(name, arity, expression) FORMATS(ROW_OF, name, arity, expression)
#define SIGN_ROWS(t)                                                                               \
    ROW("neg_" #t, SIGNATURE_1(t), neg_##t)                                                        \
    ROW("abs_" #t, SIGNATURE_1(t), abs_##t)

/* clang-format off */
static const struct exec_variant rows[] = {
    OPERATIONS(ROWS)
    SIGN_ROWS(f16) SIGN_ROWS(f16x2) SIGN_ROWS(bf16) SIGN_ROWS(bf16x2)
    ROW("cvt_f16x2_f32", "b32,f32,f32", cvt_f16x2)
    ROW("cvt_bf16x2_f32", "b32,f32,f32", cvt_bf16x2)
    ROW("cvt_relu_f16x2_f32", "b32,f32,f32", cvt_relu_f16x2)
    ROW("cvt_relu_bf16x2_f32", "b32,f32,f32", cvt_relu_bf16x2)
};
/* clang-format on */
EXEC_EXPORT(half, rows)
