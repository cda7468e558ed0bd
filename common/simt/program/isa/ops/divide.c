/*
 * div and rem of integers, PTX ISA section 9.7.1. The host's divider is slow and traps, so 32-bit
 * quotients come from vectors of doubles, and a divisor that is the same power of two in all lanes
 * (the `tid % (2 * stride)` of every course) takes a shift or a mask.
 *
 * PTX leaves a division by zero unspecified; NVIDIA's GPUs give all ones, for rem as well. The most
 * negative number divided by -1 gives itself, remainder 0.
 */
#include "common/simt/program/isa/ops/lanes.h"

/* Exact: (a + 1/2) / b is at least 1/(2b) away from any integer, the error of the quotient is less
 * than 2^-20 of that, so taking off 1/2 and rounding to nearest gives the floor. Adding 1.5 * 2^52
 * rounds and leaves the integer in the low bits of the fraction. */
LANES_INLINE uint32_t quotient(uint32_t a, uint32_t b) {
    const double dividend = get_f64(UINT64_C(0x4330000000000000) | a) - 0x1p52;
    const double divisor = get_f64(UINT64_C(0x4330000000000000) | b) - 0x1p52;
    return (uint32_t)put_f64((dividend + 0.5) / divisor - 0.5 + 0x1.8p52);
}

LANES_INLINE uint32_t zero_ones32(uint32_t b) {
    return b == 0 ? UINT32_MAX : 0;
}

LANES_INLINE uint32_t magnitude(int32_t a) {
    return a < 0 ? 0u - (uint32_t)a : (uint32_t)a;
}

LANES_INLINE uint32_t div_unsigned(uint32_t a, uint32_t b) {
    return quotient(a, b | (b == 0)) | zero_ones32(b);
}
LANES_INLINE uint32_t rem_unsigned(uint32_t a, uint32_t b) {
    return (a - quotient(a, b | (b == 0)) * b) | zero_ones32(b);
}
LANES_INLINE uint32_t div_signed(int32_t a, int32_t b) {
    const uint32_t sign = (uint32_t)((a ^ b) >> 31);
    const uint32_t q = quotient(magnitude(a), magnitude(b) | (b == 0));
    return ((q ^ sign) - sign) | zero_ones32((uint32_t)b);
}
LANES_INLINE uint32_t rem_signed(int32_t a, int32_t b) {
    const uint32_t sign = (uint32_t)(a >> 31), m = magnitude(b);
    const uint32_t r = magnitude(a) - quotient(magnitude(a), m | (b == 0)) * m;
    return ((r ^ sign) - sign) | zero_ones32((uint32_t)b);
}

LANES_INLINE uint64_t div_unsigned64(uint64_t a, uint64_t b) {
    return b == 0 ? UINT64_MAX : (a | b) >> 32 == 0 ? (uint32_t)a / (uint32_t)b : a / b;
}
LANES_INLINE uint64_t rem_unsigned64(uint64_t a, uint64_t b) {
    return b == 0 ? UINT64_MAX : (a | b) >> 32 == 0 ? (uint32_t)a % (uint32_t)b : a % b;
}
LANES_INLINE uint64_t div_signed64(int64_t a, int64_t b) {
    return b == 0 ? UINT64_MAX : b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}
LANES_INLINE uint64_t rem_signed64(int64_t a, int64_t b) {
    return b == 0 ? UINT64_MAX : b == -1 ? 0 : (uint64_t)(a % b);
}

/* The exponent of the power of two that row b holds in every lane that is on, else -1. For signed
 * division the power must be positive: `bits` is the width less the sign. */
LANES_INLINE int power32(const struct simt_exec *x, uint32_t row, unsigned bits) {
    const cell_32 *const b = LANES_ROW32(x, row);
    const uint32_t first = b[x->mask ? __builtin_ctz(x->mask) : 0];
    uint32_t differ = 0;
    LANES_LOOP {
        differ |= (b[i] ^ first) & (0u - (x->mask >> i & 1u));
    }
    const bool power = first != 0 && (first & (first - 1)) == 0 && first >> (bits - 1) <= 1;
    return power && differ == 0 ? __builtin_ctz(first) : -1;
}
LANES_INLINE int power64(const struct simt_exec *x, uint32_t row, unsigned bits) {
    const cell_64 *const b = LANES_ROW64(x, row);
    const uint64_t first = b[x->mask ? __builtin_ctz(x->mask) : 0];
    uint64_t differ = 0;
    LANES_LOOP {
        differ |= (b[i] ^ first) & (0u - (uint64_t)(x->mask >> i & 1u));
    }
    const bool power = first != 0 && (first & (first - 1)) == 0 && first >> (bits - 1) <= 1;
    return power && differ == 0 ? __builtin_ctzll(first) : -1;
}

/* One operation: `quick` by a uniform 2^shift, `any` otherwise. */
#define DIVIDE(name, t, cell_bits, bits, quick, any)                                               \
    LANES_BODY(name##_quick, t,                                                                    \
               const unsigned shift = (unsigned)power##cell_bits(x, insn->b, bits);                \
               const uint##cell_bits##_t low = ((uint##cell_bits##_t)1 << shift) - 1; (void)low;   \
               LANES_POINTER(t, a), LANES_VALUE(t, a), quick)                                      \
    LANES_BODY(name##_any, t, LANES_POINTER(t, a) LANES_POINTER(t, b),                             \
               LANES_VALUE(t, a) LANES_VALUE(t, b), any)                                           \
    LANES_INLINE void name##_lanes(struct simt_exec *x, const struct simt_insn *insn, bool full) { \
        if (power##cell_bits(x, insn->b, bits) >= 0)                                               \
            name##_quick_lanes(x, insn, full);                                                     \
        else                                                                                       \
            name##_any_lanes(x, insn, full);                                                       \
    }                                                                                              \
    LANES_BOTH(name)

/* Signed: towards zero, so a negative dividend is first raised by the divisor less one. */
#define RAISED(a, width) ((a) + (((a) >> (width - 1)) & (int##width##_t)low))

/* clang-format off */
#define OPERATIONS(X)                                                                              \
    X(div_u32, u32, 32, 32, a >> shift, div_unsigned(a, b))                                        \
    X(rem_u32, u32, 32, 32, a & low, rem_unsigned(a, b))                                           \
    X(div_s32, s32, 32, 31, RAISED(a, 32) >> shift, div_signed(a, b))                              \
    X(rem_s32, s32, 32, 31, a - (RAISED(a, 32) & ~(int32_t)low), rem_signed(a, b))                 \
    X(div_u64, u64, 64, 64, a >> shift, div_unsigned64(a, b))                                      \
    X(rem_u64, u64, 64, 64, a & low, rem_unsigned64(a, b))                                         \
    X(div_s64, s64, 64, 63, RAISED(a, 64) >> shift, div_signed64(a, b))                            \
    X(rem_s64, s64, 64, 63, a - (RAISED(a, 64) & ~(int64_t)low), rem_signed64(a, b))
#define NARROW(BINARY)                                                                             \
    BINARY(div_u16, u16, u16, u16, div_unsigned(a, b))                                             \
    BINARY(rem_u16, u16, u16, u16, rem_unsigned(a, b))                                             \
    BINARY(div_s16, s16, s16, s16, div_signed(a, b))                                               \
    BINARY(rem_s16, s16, s16, s16, rem_signed(a, b))
/* clang-format on */

OPERATIONS(DIVIDE)
NARROW(LANES_DEFINE_BINARY)

#define ROW(name, t, cell_bits, bits, quick, any)                                                  \
    {#name, #t "," #t "," #t, name##_full, name##_part},
static const struct exec_variant rows[] = {OPERATIONS(ROW) NARROW(LANES_ROW_BINARY)};
EXEC_EXPORT(divide, rows)
