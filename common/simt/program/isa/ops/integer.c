/*
 * Integer arithmetic, PTX ISA section 9.7.1, without division (divide.c) and bit fields (bits.c),
 * and with carries, section 9.7.2.
 *
 * Addition, subtraction and the low half of a product do not depend on the sign: one row of type
 * b32 serves u32 and s32. The condition code is one hidden predicate (d2): the carry of an
 * addition, the borrow of a subtraction.
 */
#include "common/simt/program/isa/ops/lanes.h"

LANES_INLINE uint32_t high_u32(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)a * b >> 32);
}

LANES_INLINE uint32_t high_s32(int32_t a, int32_t b) {
    return (uint32_t)((uint64_t)((int64_t)a * b) >> 32);
}

/* The high half of a 128-bit product from four 32-bit ones. */
LANES_INLINE uint64_t high_u64(uint64_t a, uint64_t b) {
    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    const uint64_t middle = ah * bl + (al * bl >> 32);
    const uint64_t cross = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (cross >> 32);
}

LANES_INLINE uint64_t high_s64(uint64_t a, uint64_t b) {
    return high_u64(a, b) - (b & (0 - (a >> 63))) - (a & (0 - (b >> 63)));
}

LANES_INLINE int32_t clamp_s32(int64_t v) {
    return (int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

/* The low 24 bits, with and without their sign. */
LANES_INLINE int64_t low24(int32_t a) {
    return (int32_t)((uint32_t)a << 8) >> 8;
}
LANES_INLINE uint64_t ulow24(uint32_t a) {
    return a & 0xffffffu;
}

/* Byte (or half word, for dp2a) n of a word, sign- or zero-extended. */
#define BYTE_S(v, n) ((int32_t)(int8_t)((v) >> 8 * (n)))
#define BYTE_U(v, n) ((int32_t)(uint8_t)((v) >> 8 * (n)))
#define HALF_S(v, n) ((int32_t)(int16_t)((v) >> 16 * (n)))
#define HALF_U(v, n) ((int32_t)(uint16_t)((v) >> 16 * (n)))
#define DOT4(A, B)                                                                                 \
    c + (uint32_t)(A(a, 0) * B(b, 0)) + (uint32_t)(A(a, 1) * B(b, 1)) +                            \
        (uint32_t)(A(a, 2) * B(b, 2)) + (uint32_t)(A(a, 3) * B(b, 3))
#define DOT2(A, B, first)                                                                          \
    c + (uint32_t)A(a, 0) * (uint32_t)B(b, first) + (uint32_t)A(a, 1) * (uint32_t)B(b, first + 1)

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    BINARY(add_b16, b16, b16, b16, a + b)                                                          \
    BINARY(add_b32, b32, b32, b32, a + b)                                                          \
    BINARY(add_b64, b64, b64, b64, a + b)                                                          \
    BINARY(add_s32_mode, s32, s32, s32, clamp_s32((int64_t)a + b))                                 \
    BINARY(sub_b16, b16, b16, b16, a - b)                                                          \
    BINARY(sub_b32, b32, b32, b32, a - b)                                                          \
    BINARY(sub_b64, b64, b64, b64, a - b)                                                          \
    BINARY(sub_s32_mode, s32, s32, s32, clamp_s32((int64_t)a - b))                                 \
    BINARY(mul_lo_b16, b16, b16, b16, (uint32_t)a * b)                                             \
    BINARY(mul_lo_b32, b32, b32, b32, a * b)                                                       \
    BINARY(mul_lo_b64, b64, b64, b64, a * b)                                                       \
    BINARY(mul_hi_u16, u16, u16, u16, (uint32_t)a * b >> 16)                                       \
    BINARY(mul_hi_s16, s16, s16, s16, (int32_t)a * b >> 16)                                        \
    BINARY(mul_hi_u32, u32, u32, u32, high_u32(a, b))                                              \
    BINARY(mul_hi_s32, u32, s32, s32, high_s32(a, b))                                              \
    BINARY(mul_hi_u64, u64, u64, u64, high_u64(a, b))                                              \
    BINARY(mul_hi_s64, u64, u64, u64, high_s64(a, b))                                              \
    BINARY(mul_wide_u16, u32, u16, u16, (uint32_t)a * b)                                           \
    BINARY(mul_wide_s16, s32, s16, s16, (int32_t)a * b)                                            \
    BINARY(mul_wide_u32, u64, u32, u32, (uint64_t)a * b)                                           \
    BINARY(mul_wide_s32, s64, s32, s32, (int64_t)a * b)                                            \
    BINARY(mul24_lo_u32, u32, u32, u32, ulow24(a) * ulow24(b))                                     \
    BINARY(mul24_lo_s32, s32, s32, s32, low24(a) * low24(b))                                       \
    BINARY(mul24_hi_u32, u32, u32, u32, ulow24(a) * ulow24(b) >> 16)                               \
    BINARY(mul24_hi_s32, s32, s32, s32, low24(a) * low24(b) >> 16)                                 \
    TERNARY(mad_lo_b16, b16, b16, b16, b16, (uint32_t)a * b + c)                                   \
    TERNARY(mad_lo_b32, b32, b32, b32, b32, a * b + c)                                             \
    TERNARY(mad_lo_b64, b64, b64, b64, b64, a * b + c)                                             \
    TERNARY(mad_hi_u16, u16, u16, u16, u16, ((uint32_t)a * b >> 16) + c)                           \
    TERNARY(mad_hi_s16, s16, s16, s16, s16, ((int32_t)a * b >> 16) + c)                            \
    TERNARY(mad_hi_u32, u32, u32, u32, u32, high_u32(a, b) + c)                                    \
    TERNARY(mad_hi_s32, u32, s32, s32, u32, high_s32(a, b) + c)                                    \
    TERNARY(mad_hi_s32_mode, s32, s32, s32, s32, clamp_s32((int64_t)(int32_t)high_s32(a, b) + c))  \
    TERNARY(mad_hi_u64, u64, u64, u64, u64, high_u64(a, b) + c)                                    \
    TERNARY(mad_hi_s64, u64, u64, u64, u64, high_s64(a, b) + c)                                    \
    TERNARY(mad_wide_u16, u32, u16, u16, u32, (uint32_t)a * b + c)                                 \
    TERNARY(mad_wide_s16, u32, s16, s16, u32, (uint32_t)((int32_t)a * b) + c)                      \
    TERNARY(mad_wide_u32, u64, u32, u32, u64, (uint64_t)a * b + c)                                 \
    TERNARY(mad_wide_s32, u64, s32, s32, u64, (uint64_t)((int64_t)a * b) + c)                      \
    TERNARY(mad24_lo_u32, u32, u32, u32, u32, ulow24(a) * ulow24(b) + c)                           \
    TERNARY(mad24_lo_s32, s32, s32, s32, s32, low24(a) * low24(b) + c)                             \
    TERNARY(mad24_hi_u32, u32, u32, u32, u32, (ulow24(a) * ulow24(b) >> 16) + c)                   \
    TERNARY(mad24_hi_s32, s32, s32, s32, s32, (low24(a) * low24(b) >> 16) + c)                     \
    TERNARY(mad24_hi_s32_mode, s32, s32, s32, s32, clamp_s32((low24(a) * low24(b) >> 16) + c))     \
    TERNARY(sad_u16, u16, u16, u16, u16, c + (a < b ? b - a : a - b))                              \
    TERNARY(sad_s16, u16, s16, s16, u16, c + (a < b ? b - a : a - b))                              \
    TERNARY(sad_u32, u32, u32, u32, u32, c + (a < b ? b - a : a - b))                              \
    TERNARY(sad_s32, u32, s32, s32, u32,                                                           \
            c + (a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b))                   \
    TERNARY(sad_u64, u64, u64, u64, u64, c + (a < b ? b - a : a - b))                              \
    TERNARY(sad_s64, u64, s64, s64, u64,                                                           \
            c + (a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b))                   \
    UNARY(abs_s16, s16, s16, a < 0 ? -a : a)                                                       \
    UNARY(abs_s32, u32, s32, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)                               \
    UNARY(abs_s64, u64, s64, a < 0 ? 0u - (uint64_t)a : (uint64_t)a)                               \
    UNARY(neg_b16, b16, b16, -(uint32_t)a)                                                         \
    UNARY(neg_b32, b32, b32, 0u - a)                                                               \
    UNARY(neg_b64, b64, b64, 0u - a)                                                               \
    BINARY(min_u16, u16, u16, u16, LANES_MIN(a, b))                                                \
    BINARY(min_s16, s16, s16, s16, LANES_MIN(a, b))                                                \
    BINARY(min_u32, u32, u32, u32, LANES_MIN(a, b))                                                \
    BINARY(min_s32, s32, s32, s32, LANES_MIN(a, b))                                                \
    BINARY(min_relu_s32, s32, s32, s32, LANES_MAX(LANES_MIN(a, b), 0))                             \
    BINARY(min_u64, u64, u64, u64, LANES_MIN(a, b))                                                \
    BINARY(min_s64, s64, s64, s64, LANES_MIN(a, b))                                                \
    BINARY(max_u16, u16, u16, u16, LANES_MAX(a, b))                                                \
    BINARY(max_s16, s16, s16, s16, LANES_MAX(a, b))                                                \
    BINARY(max_u32, u32, u32, u32, LANES_MAX(a, b))                                                \
    BINARY(max_s32, s32, s32, s32, LANES_MAX(a, b))                                                \
    BINARY(max_relu_s32, s32, s32, s32, LANES_MAX(LANES_MAX(a, b), 0))                             \
    BINARY(max_u64, u64, u64, u64, LANES_MAX(a, b))                                                \
    BINARY(max_s64, s64, s64, s64, LANES_MAX(a, b))                                                \
    TERNARY(dp4a_u32_u32, u32, u32, u32, u32, DOT4(BYTE_U, BYTE_U))                                \
    TERNARY(dp4a_u32_s32, u32, u32, u32, u32, DOT4(BYTE_U, BYTE_S))                                \
    TERNARY(dp4a_s32_u32, u32, u32, u32, u32, DOT4(BYTE_S, BYTE_U))                                \
    TERNARY(dp4a_s32_s32, u32, u32, u32, u32, DOT4(BYTE_S, BYTE_S))                                \
    TERNARY(dp2a_lo_u32_u32, u32, u32, u32, u32, DOT2(HALF_U, BYTE_U, 0))                          \
    TERNARY(dp2a_lo_u32_s32, u32, u32, u32, u32, DOT2(HALF_U, BYTE_S, 0))                          \
    TERNARY(dp2a_lo_s32_u32, u32, u32, u32, u32, DOT2(HALF_S, BYTE_U, 0))                          \
    TERNARY(dp2a_lo_s32_s32, u32, u32, u32, u32, DOT2(HALF_S, BYTE_S, 0))                          \
    TERNARY(dp2a_hi_u32_u32, u32, u32, u32, u32, DOT2(HALF_U, BYTE_U, 2))                          \
    TERNARY(dp2a_hi_u32_s32, u32, u32, u32, u32, DOT2(HALF_U, BYTE_S, 2))                          \
    TERNARY(dp2a_hi_s32_u32, u32, u32, u32, u32, DOT2(HALF_S, BYTE_U, 2))                          \
    TERNARY(dp2a_hi_s32_s32, u32, u32, u32, u32, DOT2(HALF_S, BYTE_S, 2))
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, LANES_DEFINE_TERNARY)

__extension__ typedef unsigned __int128 wide_64;
typedef uint64_t wide_32;
__extension__ typedef __int128 swide_64;
typedef int64_t swide_32;

/* One operation: `total` has the result in its low bits and the carry in the bit above them. */
#define CARRY(name, bits, takes, makes, sources, total)                                            \
    static void name##_b##bits(struct simt_exec *x, const struct simt_insn *insn) {                \
        cell_##bits *const row_d = LANES_ROW(b##bits, insn->d);                                    \
        const uint32_t before = takes ? x->preds[insn->d2] : 0;                                    \
        uint32_t after = 0;                                                                        \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const wide_##bits in = before >> i & 1;                                                \
            sources(bits) const wide_##bits sum = (total);                                         \
            (void)in;                                                                              \
            after |= (uint32_t)(sum >> bits & 1) << i;                                             \
            row_d[i] = x->mask >> i & 1 ? (cell_##bits)sum : row_d[i];                             \
        }                                                                                          \
        if (makes)                                                                                 \
            lanes_set_pred(x, insn->d2, after);                                                    \
    }
#define SOURCE(bits, slot) const wide_##bits slot = LANES_ROW(b##bits, insn->slot)[i];
#define TWO(bits)          SOURCE(bits, a) SOURCE(bits, b)
#define THREE(bits)        SOURCE(bits, a) SOURCE(bits, b) SOURCE(bits, c)

/* The halves of the product of a and b. */
#define LOW(bits)  ((wide_##bits)(uint##bits##_t)(a * b))
#define HIGH(bits) (a * b >> bits)
#define HIGH_S(bits)                                                                               \
    ((wide_##bits)(uint##bits##_t)(((swide_##bits)(int##bits##_t)a * (int##bits##_t)b) >> bits))

/* clang-format off */
#define CARRIES(X, bits)                                                                        \
    X(add_cc, bits, false, true, TWO, a + b)                                                       \
    X(addc, bits, true, false, TWO, a + b + in)                                                    \
    X(addc_cc, bits, true, true, TWO, a + b + in)                                                  \
    X(sub_cc, bits, false, true, TWO, a - b)                                                       \
    X(subc, bits, true, false, TWO, a - b - in)                                                    \
    X(subc_cc, bits, true, true, TWO, a - b - in)                                                  \
    X(mad_lo_cc, bits, false, true, THREE, LOW(bits) + c)                                          \
    X(madc_lo, bits, true, false, THREE, LOW(bits) + c + in)                                       \
    X(madc_lo_cc, bits, true, true, THREE, LOW(bits) + c + in)                                     \
    X(mad_hi_cc_u, bits, false, true, THREE, HIGH(bits) + c)                                       \
    X(madc_hi_u, bits, true, false, THREE, HIGH(bits) + c + in)                                    \
    X(madc_hi_cc_u, bits, true, true, THREE, HIGH(bits) + c + in)                                  \
    X(mad_hi_cc_s, bits, false, true, THREE, HIGH_S(bits) + c)                                     \
    X(madc_hi_s, bits, true, false, THREE, HIGH_S(bits) + c + in)                                  \
    X(madc_hi_cc_s, bits, true, true, THREE, HIGH_S(bits) + c + in)

CARRIES(CARRY, 32)
CARRIES(CARRY, 64)

#define ROW2(name, t) {#name "_" #t, #t "," #t "," #t ",carry", name##_##t, name##_##t},
#define ROW3(name, t) {#name "_" #t, #t "," #t "," #t "," #t ",carry", name##_##t, name##_##t},
#define ROW_HIGH(name, sign, bits)                                                                 \
    {#name "_" #sign #bits, "b" #bits ",b" #bits ",b" #bits ",b" #bits ",carry",                   \
     name##_##sign##_b##bits, name##_##sign##_b##bits},
#define CARRY_ROWS(t, bits)                                                                              \
    ROW2(add_cc, t) ROW2(addc, t) ROW2(addc_cc, t)                                                 \
    ROW2(sub_cc, t) ROW2(subc, t) ROW2(subc_cc, t)                                                 \
    ROW3(mad_lo_cc, t) ROW3(madc_lo, t) ROW3(madc_lo_cc, t)                                        \
    ROW_HIGH(mad_hi_cc, u, bits) ROW_HIGH(madc_hi, u, bits) ROW_HIGH(madc_hi_cc, u, bits)          \
    ROW_HIGH(mad_hi_cc, s, bits) ROW_HIGH(madc_hi, s, bits) ROW_HIGH(madc_hi_cc, s, bits)
/* clang-format on */

static const struct exec_variant rows[] = {OPERATIONS(
    LANES_ROW_UNARY, LANES_ROW_BINARY, LANES_ROW_TERNARY) CARRY_ROWS(b32, 32) CARRY_ROWS(b64, 64)};
EXEC_EXPORT(integer, rows)
