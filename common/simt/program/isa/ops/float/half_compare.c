/*
 * Comparisons of half precision, PTX ISA section 9.7.7: setp and set of f16 and bf16. Of a pair,
 * setp writes a predicate for each half; set writes each half of the register.
 */
#include "common/simt/program/isa/half.h"
#include "common/simt/program/isa/ops/lanes.h"

LANES_INLINE double read_half(uint32_t cell, unsigned shift, const struct simt_insn *insn,
                              struct half_format f) {
    const double v = half_widen((uint16_t)(cell >> shift), f);
    return insn->imm_flags & EXEC_FTZ && fabs(v) < ldexp(1, f.least) ? copysign(0, v) : v;
}

/* clang-format off */
#define CONDITIONS(X)                                                                              \
    X(eq, a == b)  X(ne, a < b || a > b)  X(lt, a < b)  X(le, a <= b)  X(gt, a > b)  X(ge, a >= b)  \
    X(equ, !(a < b || a > b))  X(neu, !(a == b))  X(ltu, !(a >= b))  X(leu, !(a > b))               \
    X(gtu, !(a <= b))  X(geu, !(a < b))  X(num, a == a && b == b)  X(nan, !(a == a && b == b))
/* clang-format on */

/* The lanes in which the condition holds for the half that lies `shift` bits up. */
#define HOLDS(name, expression)                                                                    \
    LANES_INLINE uint32_t holds_##name(const struct simt_exec *x, const struct simt_insn *insn,    \
                                       unsigned shift, struct half_format f) {                     \
        uint32_t holds = 0;                                                                        \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const double a = read_half(LANES_ROW32(x, insn->a)[i], shift, insn, f);                \
            const double b = read_half(LANES_ROW32(x, insn->b)[i], shift, insn, f);                \
            holds |= (expression) ? lanes_bit[i] : 0;                                              \
        }                                                                                          \
        return holds;                                                                              \
    }
CONDITIONS(HOLDS)

#define SETP(name, t, f)                                                                           \
    static void setp_##name##_##t(struct simt_exec *x, const struct simt_insn *insn) {             \
        const uint32_t holds = holds_##name(x, insn, 0, f);                                        \
        const uint32_t first = combined(x, insn, holds), second = combined(x, insn, ~holds);       \
        lanes_set_pred(x, insn->d, first);                                                         \
        if (insn->d2 != SIMT_NO_ROW)                                                               \
            lanes_set_pred(x, insn->d2, second);                                                   \
    }                                                                                              \
    static void setp_##name##_##t##x2(struct simt_exec *x, const struct simt_insn *insn) {         \
        const uint32_t low = combined(x, insn, holds_##name(x, insn, 0, f));                       \
        const uint32_t high = combined(x, insn, holds_##name(x, insn, 16, f));                     \
        lanes_set_pred(x, insn->d, low);                                                           \
        if (insn->d2 != SIMT_NO_ROW)                                                               \
            lanes_set_pred(x, insn->d2, high);                                                     \
    }

/* `low` is what a low half (or the whole cell) gets where the condition holds, `high` a high one.
 */
#define SET(name, td, t, f, low, high)                                                             \
    static void set_##name##_##td##_##t(struct simt_exec *x, const struct simt_insn *insn) {       \
        const uint32_t first = combined(x, insn, holds_##name(x, insn, 0, f));                     \
        const uint32_t second = (high) ? combined(x, insn, holds_##name(x, insn, 16, f)) : 0;      \
        cell_32 *const row_d = LANES_ROW32(x, insn->d);                                            \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const uint32_t fresh = (first & lanes_bit[i] ? UINT32_C(low) : 0) |                    \
                                   (second & lanes_bit[i] ? UINT32_C(high) : 0);                   \
            row_d[i] = x->mask & lanes_bit[i] ? fresh : row_d[i];                                  \
        }                                                                                          \
    }
#define SETS(X, name)                                                                              \
    X(name, b32, f16, HALF_F16, 0xffffffff, 0)                                                     \
    X(name, b16, f16, HALF_F16, 0xffff, 0)                                                         \
    X(name, f16, f16, HALF_F16, 0x3c00, 0)                                                         \
    X(name, b32, f16x2, HALF_F16, 0xffff, 0xffff0000)                                              \
    X(name, f16x2, f16x2, HALF_F16, 0x3c00, 0x3c000000)                                            \
    X(name, b32, bf16, HALF_BF16, 0xffffffff, 0)                                                   \
    X(name, b16, bf16, HALF_BF16, 0xffff, 0)                                                       \
    X(name, bf16, bf16, HALF_BF16, 0x3f80, 0)                                                      \
    X(name, b32, bf16x2, HALF_BF16, 0xffff, 0xffff0000)                                            \
    X(name, bf16x2, bf16x2, HALF_BF16, 0x3f80, 0x3f800000)
#define DEFINE(name, expression)                                                                   \
    SETP(name, f16, HALF_F16)                                                                      \
    SETP(name, bf16, HALF_BF16)                                                                    \
    SETS(SET, name)
CONDITIONS(DEFINE)

#define ROW_SETP(name, t)                                                                          \
    {"setp_" #name "_" #t, "pred," #t "," #t ",?pred", setp_##name##_##t, setp_##name##_##t},
#define ROW_SET(name, td, t, f, low, high)                                                         \
    {"set_" #name "_" #td "_" #t, #td "," #t "," #t ",?pred", set_##name##_##td##_##t,             \
     set_##name##_##td##_##t},
#define ROWS(name, expression)                                                                     \
    ROW_SETP(name, f16)                                                                            \
    ROW_SETP(name, f16x2)                                                                          \
    ROW_SETP(name, bf16)                                                                           \
    ROW_SETP(name, bf16x2)                                                                         \
    SETS(ROW_SET, name)

/* clang-format off */
static const struct exec_variant rows[] = {CONDITIONS(ROWS)};
/* clang-format on */
EXEC_EXPORT(half_compare, rows)
