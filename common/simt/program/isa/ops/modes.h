/*
 * Modes of floating-point instructions: rounding by the host's own rounding mode, subnormals
 * flushed to zero (.ftz), results clamped to [0, 1] (.sat).
 */
#pragma once

#include <fenv.h>

#include "common/simt/program/isa/ops/lanes.h"

LANES_INLINE float flushed_f32(float v, bool ftz) {
    return ftz && fabsf(v) < 0x1p-126f ? copysignf(0, v) : v;
}

/* A result: flushed and clamped as the instruction says. A NaN saturates to +0. */
LANES_INLINE float finished_f32(float v, bool ftz, bool sat) {
    const float whole = flushed_f32(v, ftz);
    const float low = whole > 0 ? whole : 0;
    return sat ? LANES_MIN(low, 1.0f) : whole;
}

/* Sets the host's rounding to the instruction's; returns it when it is not the usual one. */
LANES_INLINE int rounding_begin(const struct simt_insn *insn) {
    static const int host[] = {[EXEC_RN] = FE_TONEAREST,
                               [EXEC_RZ] = FE_TOWARDZERO,
                               [EXEC_RM] = FE_DOWNWARD,
                               [EXEC_RP] = FE_UPWARD};
    const int rounding = insn->imm_flags >> EXEC_ROUND_SHIFT;
    if (rounding != EXEC_RN)
        fesetround(host[rounding]);
    return rounding;
}

LANES_INLINE void rounding_end(int rounding) {
    if (rounding != EXEC_RN)
        fesetround(FE_TONEAREST);
}

/* The function of an operation in any mode; `loop` is made by LANES_BODY. */
#define MODE_FUNCTION(name)                                                                        \
    static void name(struct simt_exec *x, const struct simt_insn *insn) {                          \
        const int rounding = rounding_begin(insn);                                                 \
        name##_lanes(x, insn, false);                                                              \
        rounding_end(rounding);                                                                    \
    }
#define MODE_FLAGS          const bool ftz = insn->imm_flags & EXEC_FTZ, sat = insn->imm_flags & EXEC_SAT;
#define FLUSHED_VALUE(slot) const float slot = flushed_f32(get_f32(row_##slot[i]), ftz);

#define MODE_UNARY(name, td, ta, expression)                                                       \
    LANES_BODY(name##_mode, f32, MODE_FLAGS LANES_POINTER(f32, a), FLUSHED_VALUE(a),               \
               finished_f32(expression, ftz, sat))                                                 \
    MODE_FUNCTION(name##_mode)
#define MODE_BINARY(name, td, ta, tb, expression)                                                  \
    LANES_BODY(name##_mode, f32, MODE_FLAGS LANES_POINTER(f32, a) LANES_POINTER(f32, b),           \
               FLUSHED_VALUE(a) FLUSHED_VALUE(b), finished_f32(expression, ftz, sat))              \
    MODE_FUNCTION(name##_mode)
#define MODE_TERNARY(name, td, ta, tb, tc, expression)                                             \
    LANES_BODY(name##_mode, f32,                                                                   \
               MODE_FLAGS LANES_POINTER(f32, a) LANES_POINTER(f32, b) LANES_POINTER(f32, c),       \
               FLUSHED_VALUE(a) FLUSHED_VALUE(b) FLUSHED_VALUE(c),                                 \
               finished_f32(expression, ftz, sat))                                                 \
    MODE_FUNCTION(name##_mode)

#define MODE_ROW_UNARY(name, td, ta, expression)                                                   \
    {#name "_mode", #td "," #ta, name##_mode, name##_mode},
#define MODE_ROW_BINARY(name, td, ta, tb, expression)                                              \
    {#name "_mode", #td "," #ta "," #tb, name##_mode, name##_mode},
#define MODE_ROW_TERNARY(name, td, ta, tb, tc, expression)                                         \
    {#name "_mode", #td "," #ta "," #tb "," #tc, name##_mode, name##_mode},
