/*
 * Logic and shifts, PTX ISA section 9.7.8 ("Logic and Shift Instructions"): on bits of 16, 32 and
 * 64, and on predicates. Shifts clamp: by the width or more, nothing (or the sign) is left.
 */
#include "common/simt/program/isa/ops/lanes.h"

LANES_INLINE uint32_t shl_32(uint32_t a, uint32_t b, uint32_t width) {
    return b < width ? a << (b & 31) : 0;
}
LANES_INLINE uint32_t shr_32(uint32_t a, uint32_t b, uint32_t width) {
    return b < width ? a >> (b & 31) : 0;
}
LANES_INLINE int32_t sar_32(int32_t a, uint32_t b) {
    return a >> LANES_MIN(b, 31);
}
LANES_INLINE uint64_t shl_64(uint64_t a, uint32_t b) {
    return b < 64 ? a << (b & 63) : 0;
}
LANES_INLINE uint64_t shr_64(uint64_t a, uint32_t b) {
    return b < 64 ? a >> (b & 63) : 0;
}

/* Funnel shifts: the 64 bits b:a, shifted; the high or the low word of the result. */
LANES_INLINE uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t n) {
    return (uint32_t)((((uint64_t)b << 32 | a) << n) >> 32);
}
LANES_INLINE uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t n) {
    return (uint32_t)(((uint64_t)b << 32 | a) >> n);
}

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    BINARY(and_b16, b16, b16, b16, a & b)                                                          \
    BINARY(and_b32, b32, b32, b32, a & b)                                                          \
    BINARY(and_b64, b64, b64, b64, a & b)                                                          \
    BINARY(or_b16, b16, b16, b16, a | b)                                                           \
    BINARY(or_b32, b32, b32, b32, a | b)                                                           \
    BINARY(or_b64, b64, b64, b64, a | b)                                                           \
    BINARY(xor_b16, b16, b16, b16, a ^ b)                                                          \
    BINARY(xor_b32, b32, b32, b32, a ^ b)                                                          \
    BINARY(xor_b64, b64, b64, b64, a ^ b)                                                          \
    UNARY(not_b16, b16, b16, ~a)                                                                   \
    UNARY(not_b32, b32, b32, ~a)                                                                   \
    UNARY(not_b64, b64, b64, ~a)                                                                   \
    UNARY(cnot_b16, b16, b16, a == 0)                                                              \
    UNARY(cnot_b32, b32, b32, a == 0)                                                              \
    UNARY(cnot_b64, b64, b64, a == 0)                                                              \
    BINARY(shl_b16, b16, b16, b32, shl_32(a, b, 16))                                               \
    BINARY(shl_b32, b32, b32, b32, shl_32(a, b, 32))                                               \
    BINARY(shl_b64, b64, b64, b32, shl_64(a, b))                                                   \
    BINARY(shr_b16, b16, b16, b32, shr_32(a, b, 16))                                               \
    BINARY(shr_b32, b32, b32, b32, shr_32(a, b, 32))                                               \
    BINARY(shr_b64, b64, b64, b32, shr_64(a, b))                                                   \
    BINARY(shr_s16, s16, s16, b32, sar_32(a, b))                                                   \
    BINARY(shr_s32, s32, s32, b32, sar_32(a, b))                                                   \
    BINARY(shr_s64, s64, s64, b32, a >> LANES_MIN(b, 63))                                          \
    TERNARY(shf_l_wrap_b32, b32, b32, b32, b32, funnel_left(a, b, c & 31))                         \
    TERNARY(shf_r_wrap_b32, b32, b32, b32, b32, funnel_right(a, b, c & 31))                        \
    TERNARY(shf_l_clamp_b32, b32, b32, b32, b32, funnel_left(a, b, LANES_MIN(c, 32)))              \
    TERNARY(shf_r_clamp_b32, b32, b32, b32, b32, funnel_right(a, b, LANES_MIN(c, 32)))
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, LANES_DEFINE_TERNARY)

/* lop3 with the usual three inputs: bit abc of the truth table, gathered by its eight minterms. */
LANES_INLINE uint32_t truth(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t result = 0;
    for (uint32_t minterm = 0; minterm < 8; minterm++) {
        const uint32_t wanted = 0u - (table >> minterm & 1u);
        const uint32_t hit = (minterm & 4 ? a : ~a) & (minterm & 2 ? b : ~b);
        result |= wanted & hit & (minterm & 1 ? c : ~c);
    }
    return result;
}

LANES_OP(lop3_b32, b32,
         LANES_POINTER(b32, a) LANES_POINTER(b32, b) LANES_POINTER(b32, c)
             const uint32_t table = (uint32_t)insn->imm;
         , LANES_VALUE(b32, a) LANES_VALUE(b32, b) LANES_VALUE(b32, c), truth(a, b, c, table))

/* Logic on predicates: 32 lanes are one word. */
#define PREDICATE(name, expression)                                                                \
    static void name(struct simt_exec *x, const struct simt_insn *insn) {                          \
        const uint32_t a = lanes_get_pred(x, insn, insn->a, 0);                                    \
        const uint32_t b = lanes_get_pred(x, insn, insn->b, 1);                                    \
        lanes_set_pred(x, insn->d, expression);                                                    \
    }
PREDICATE(and_pred, a &b)
PREDICATE(or_pred, a | b)
PREDICATE(xor_pred, a ^ b)

static void not_pred(struct simt_exec *x, const struct simt_insn *insn) {
    lanes_set_pred(x, insn->d, ~lanes_get_pred(x, insn, insn->a, 0));
}

/* clang-format off */
static const struct exec_variant rows[] = {
    OPERATIONS(LANES_ROW_UNARY, LANES_ROW_BINARY, LANES_ROW_TERNARY)
    {"lop3_b32", "b32,b32,b32,b32,imm", lop3_b32_full, lop3_b32_part},
    LANES_ROW_HAND(and_pred, "pred,pred,pred")
    LANES_ROW_HAND(or_pred, "pred,pred,pred")
    LANES_ROW_HAND(xor_pred, "pred,pred,pred")
    LANES_ROW_HAND(not_pred, "pred,pred")
};
/* clang-format on */
EXEC_EXPORT(logic, rows)
