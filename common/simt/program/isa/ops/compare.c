/*
 * Comparison and selection, PTX ISA section 9.7.6 ("Comparison and Selection Instructions"): setp,
 * set, selp, slct. A comparison makes a mask of the lanes in which it holds; setp and set then
 * combine it with a third predicate where the instruction names one.
 */
#include "common/simt/program/isa/ops/modes.h"

/* d|p: p gets the comparison, q its opposite, each combined with c. */
LANES_INLINE void finish(struct simt_exec *x, const struct simt_insn *insn, uint32_t holds) {
    const uint32_t first = combined(x, insn, holds), second = combined(x, insn, ~holds);
    lanes_set_pred(x, insn->d, first);
    if (insn->d2 != SIMT_NO_ROW)
        lanes_set_pred(x, insn->d2, second);
}

/* A comparison of one type: the mask, and its setp. */
#define COMPARE(condition, t, expression)                                                          \
    LANES_INLINE uint32_t condition##_##t(const struct simt_exec *x,                               \
                                          const struct simt_insn *insn) {                          \
        LANES_POINTER(t, a) LANES_POINTER(t, b) const bool ftz = insn->imm_flags & EXEC_FTZ;       \
        uint32_t holds = 0;                                                                        \
        (void)ftz;                                                                                 \
        LANES_LOOP {                                                                               \
            LANES_VALUE(t, a) LANES_VALUE(t, b) holds |= (expression) ? lanes_bit[i] : 0;          \
        }                                                                                          \
        return holds;                                                                              \
    }                                                                                              \
    static void setp_##condition##_##t(struct simt_exec *x, const struct simt_insn *insn) {        \
        finish(x, insn, condition##_##t(x, insn));                                                 \
    }

/* set: all ones (or 1.0) where the comparison holds. */
#define SET(condition, t, td, yes)                                                                 \
    static void set_##condition##_##td##_##t(struct simt_exec *x, const struct simt_insn *insn) {  \
        const uint32_t holds = combined(x, insn, condition##_##t(x, insn));                        \
        cell_32 *const row_d = LANES_ROW32(x, insn->d);                                            \
        LANES_LOOP {                                                                               \
            const uint32_t fresh = holds & lanes_bit[i] ? (yes) : 0;                               \
            row_d[i] = x->mask & lanes_bit[i] ? fresh : row_d[i];                                  \
        }                                                                                          \
    }
#define SETS(condition, t, expression)                                                             \
    SET(condition, t, b32, UINT32_MAX)                                                             \
    SET(condition, t, f32, UINT32_C(0x3f800000))

#define BITS(X, t)                                                                                 \
    X(eq, t, a == b)                                                                               \
    X(ne, t, a != b)
#define SIGNED(X, t)                                                                               \
    X(lt, t, a < b)                                                                                \
    X(le, t, a <= b)                                                                               \
    X(gt, t, a > b)                                                                                \
    X(ge, t, a >= b)
#define UNSIGNED(X, t)                                                                             \
    SIGNED(X, t)                                                                                   \
    X(lo, t, a < b)                                                                                \
    X(ls, t, a <= b)                                                                               \
    X(hi, t, a > b)                                                                                \
    X(hs, t, a >= b)

/* Floating point: the plain words are false when an operand is NaN, those with `u` true. `value` is
 * how an operand is read. */
#define FLOAT(X, t, value)                                                                         \
    X(eq, t, value(a) == value(b))                                                                 \
    X(ne, t, value(a) < value(b) || value(a) > value(b))                                           \
    X(lt, t, value(a) < value(b))                                                                  \
    X(le, t, value(a) <= value(b))                                                                 \
    X(gt, t, value(a) > value(b))                                                                  \
    X(ge, t, value(a) >= value(b))                                                                 \
    X(equ, t, !(value(a) < value(b) || value(a) > value(b)))                                       \
    X(neu, t, !(value(a) == value(b)))                                                             \
    X(ltu, t, !(value(a) >= value(b)))                                                             \
    X(leu, t, !(value(a) > value(b)))                                                              \
    X(gtu, t, !(value(a) <= value(b)))                                                             \
    X(geu, t, !(value(a) < value(b)))                                                              \
    X(num, t, a == a && b == b)                                                                    \
    X(nan, t, !(a == a && b == b))
#define FLUSHED(v) flushed_f32(v, ftz)
#define PLAIN(v)   (v)

/* clang-format off */
#define COMPARISONS(X)                                                                             \
    BITS(X, b16) BITS(X, b32) BITS(X, b64)                                                         \
    SIGNED(X, s16) SIGNED(X, s32) SIGNED(X, s64)                                                   \
    UNSIGNED(X, u16) UNSIGNED(X, u32) UNSIGNED(X, u64)                                             \
    FLOAT(X, f32, FLUSHED) FLOAT(X, f64, PLAIN)
/* clang-format on */

COMPARISONS(COMPARE)
COMPARISONS(SETS)

/* selp: a where the predicate is set, else b. slct: a where c >= 0, else b. */
#define SELECT(t)                                                                                  \
    LANES_OP(selp_##t, t,                                                                          \
             LANES_POINTER(t, a) LANES_POINTER(t, b) const uint32_t pred =                         \
                 lanes_get_pred(x, insn, insn->c, 2);                                              \
             , LANES_VALUE(t, a) LANES_VALUE(t, b), pred & lanes_bit[i] ? a : b)
SELECT(b16)
SELECT(b32)
SELECT(b64)

/* clang-format off */
#define SLCT(TERNARY)                                                                              \
    TERNARY(slct_b16_s32, b16, b16, b16, s32, c >= 0 ? a : b)                                      \
    TERNARY(slct_b32_s32, b32, b32, b32, s32, c >= 0 ? a : b)                                      \
    TERNARY(slct_b64_s32, b64, b64, b64, s32, c >= 0 ? a : b)                                      \
    TERNARY(slct_b32_f32, b32, b32, b32, f32, c >= 0 ? a : b)                                      \
    TERNARY(slct_b64_f32, b64, b64, b64, f32, c >= 0 ? a : b)                                      \
    TERNARY(slct_b32_f32_mode, b32, b32, b32, f32, c > -0x1p-126f ? a : b)                         \
    TERNARY(slct_b64_f32_mode, b64, b64, b64, f32, c > -0x1p-126f ? a : b)
/* clang-format on */
SLCT(LANES_DEFINE_TERNARY)

#define ROW_SETP(condition, t, expression)                                                         \
    {"setp_" #condition "_" #t, "pred," #t "," #t ",?pred", setp_##condition##_##t,                \
     setp_##condition##_##t},
#define ROW_SET(condition, t, td)                                                                  \
    {"set_" #condition "_" #td "_" #t, #td "," #t "," #t ",?pred", set_##condition##_##td##_##t,   \
     set_##condition##_##td##_##t},
#define ROW_SETS(condition, t, expression) ROW_SET(condition, t, b32) ROW_SET(condition, t, f32)
#define ROW_SELP(key, t)                   {"selp_" #key, #t "," #t "," #t ",pred", selp_##t##_full, selp_##t##_part},
#define ROW_SLCT(key, t, tc)                                                                       \
    {"slct_" #key "_" #tc, #t "," #t "," #t "," #tc, slct_##t##_##tc##_full,                       \
     slct_##t##_##tc##_part},

/* clang-format off */
static const struct exec_variant rows[] = {
    COMPARISONS(ROW_SETP) COMPARISONS(ROW_SETS)
    ROW_SELP(b16, b16) ROW_SELP(b32, b32) ROW_SELP(b64, b64)
    ROW_SELP(f32, b32) ROW_SELP(f64, b64)
    SLCT(LANES_ROW_TERNARY)
    ROW_SLCT(f32, b32, s32) ROW_SLCT(f64, b64, s32)
    ROW_SLCT(f32, b32, f32) ROW_SLCT(f64, b64, f32)
    {"slct_f32_f32_mode", "b32,b32,b32,f32", slct_b32_f32_mode_full, slct_b32_f32_mode_part},
    {"slct_f64_f32_mode", "b64,b64,b64,f32", slct_b64_f32_mode_full, slct_b64_f32_mode_part},
};
/* clang-format on */
EXEC_EXPORT(compare, rows)
