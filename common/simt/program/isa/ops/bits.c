/*
 * Bit fields and counts of bits, PTX ISA section 9.7.1: bfe, bfi, bfind, brev, popc, clz, fns,
 * bmsk, szext, and prmt from section 9.7.9.
 */
#include "common/simt/program/isa/ops/lanes.h"

/* n low bits set; all of them from the width on. */
LANES_INLINE uint32_t low32(uint32_t n) {
    return n < 32 ? (UINT32_C(1) << (n & 31)) - 1 : UINT32_MAX;
}
LANES_INLINE uint64_t low64(uint32_t n) {
    return n < 64 ? (UINT64_C(1) << (n & 63)) - 1 : UINT64_MAX;
}

/* Position and length of a field are bytes where it lies in 32 bits: what is above does not count.
 * In 64 bits, which the hardware has no instruction for, all of them counts. */
LANES_INLINE uint32_t extract_u32(uint32_t a, uint32_t position, uint32_t length) {
    position &= 255, length &= 255;
    return (position < 32 ? a >> (position & 31) : 0) & low32(length);
}
LANES_INLINE uint64_t extract_u64(uint64_t a, uint32_t position, uint32_t length) {
    return (position < 64 ? a >> (position & 63) : 0) & low64(length);
}

/* The sign is the field's highest bit, or a's where the field goes beyond it; bits of the field
 * above a's are signs. */
LANES_INLINE uint32_t extract_s32(uint32_t a, uint32_t position, uint32_t length) {
    position &= 255, length &= 255;
    const uint32_t top = LANES_MIN(position + length - 1, 31);
    const uint32_t sign = length != 0 ? 0u - (a >> (top & 31) & 1u) : 0;
    const uint32_t kept = position < 32 ? LANES_MIN(length, 32 - position) : 0;
    const uint32_t field = position < 32 ? a >> (position & 31) : 0;
    return (field & low32(kept)) | (sign & ~low32(kept));
}
LANES_INLINE uint64_t extract_s64(uint64_t a, uint32_t position, uint32_t length) {
    const uint64_t end = (uint64_t)position + length, top = LANES_MIN(end - 1, 63);
    const uint64_t sign = length != 0 ? UINT64_C(0) - (a >> (top & 63) & 1u) : 0;
    const uint32_t kept = position < 64 ? LANES_MIN(length, 64 - position) : 0;
    const uint64_t field = position < 64 ? a >> (position & 63) : 0;
    return (field & low64(kept)) | (sign & ~low64(kept));
}

/* b with the low bits of a in the field. */
LANES_INLINE uint32_t insert32(uint32_t a, uint32_t b, uint32_t position, uint32_t length) {
    position &= 255, length &= 255;
    const uint32_t field = position < 32 ? low32(length) << (position & 31) : 0;
    return (b & ~field) | (a << (position & 31) & field);
}
LANES_INLINE uint64_t insert64(uint64_t a, uint64_t b, uint32_t position, uint32_t length) {
    const uint64_t field = position < 64 ? low64(length) << (position & 63) : 0;
    return (b & ~field) | (a << (position & 63) & field);
}

/* The highest bit that differs from the sign; all ones where there is none. */
LANES_INLINE uint32_t find32(uint32_t a) {
    return a != 0 ? 31 - (uint32_t)__builtin_clz(a) : UINT32_MAX;
}
LANES_INLINE uint32_t find64(uint64_t a) {
    return a != 0 ? 63 - (uint32_t)__builtin_clzll(a) : UINT32_MAX;
}
LANES_INLINE uint32_t to_shift(uint32_t bit, uint32_t top) {
    return bit != UINT32_MAX ? top - bit : UINT32_MAX;
}
#define UNSIGNED_OF(a, width) ((uint##width##_t)((a) ^ (a) >> (width - 1)))

LANES_INLINE uint64_t reverse64(uint64_t a) {
    a = (a >> 1 & UINT64_C(0x5555555555555555)) | (a & UINT64_C(0x5555555555555555)) << 1;
    a = (a >> 2 & UINT64_C(0x3333333333333333)) | (a & UINT64_C(0x3333333333333333)) << 2;
    a = (a >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (a & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(a);
}

/* The n-th set bit of `mask` from bit `base` up (n > 0) or down (n < 0); base itself counts. */
LANES_INLINE uint32_t find_nth(uint32_t mask, uint32_t base, int32_t n) {
    if (n == 0)
        return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    const int step = n > 0 ? 1 : -1;
    int64_t left = n > 0 ? n : -(int64_t)n;
    for (uint32_t at = base; at < 32; at += (uint32_t)step) {
        if ((mask >> at & 1) && --left == 0)
            return at;
    }
    return UINT32_MAX;
}

/* One byte of b:a, or its sign eight times where bit 3 of the selector is set. */
LANES_INLINE uint32_t picked(uint64_t bytes, uint32_t selector, unsigned n) {
    const uint32_t nibble = selector >> 4 * n & 15;
    const uint32_t byte = bytes >> 8 * (nibble & 7) & 255;
    const uint32_t sign = byte & 128 ? 255 : 0;
    return (nibble & 8 ? sign : byte) << 8 * n;
}
LANES_INLINE uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = (uint64_t)b << 32 | a;
    return picked(bytes, selector, 0) | picked(bytes, selector, 1) | picked(bytes, selector, 2) |
           picked(bytes, selector, 3);
}

/* The modes of prmt as selectors, by the low two bits of c: one nibble a byte. */
LANES_INLINE uint32_t mode_of(uint64_t modes, uint32_t c) {
    return modes >> 16 * (c & 3) & 0xffff;
}
#define FORWARD_4    UINT64_C(0x6543543243213210)
#define BACKWARD_4   UINT64_C(0x0123701267015670)
#define REPLICATE_8  UINT64_C(0x3333222211110000)
#define EDGE_LEFT    UINT64_C(0x3333322232113210)
#define EDGE_RIGHT   UINT64_C(0x3210221011100000)
#define REPLICATE_16 UINT64_C(0x3232101032321010)

/* szext: the low `n` bits, extended. */
LANES_INLINE uint32_t extend_zero(uint32_t a, uint32_t n) {
    return a & low32(n);
}
LANES_INLINE uint32_t extend_sign(uint32_t a, uint32_t n) {
    const uint32_t sign = n > 0 && n < 32 ? UINT32_C(1) << ((n - 1) & 31) : 0;
    return ((a & low32(n)) ^ sign) - sign;
}

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    TERNARY(bfe_u32, u32, u32, u32, u32, extract_u32(a, b, c))                                     \
    TERNARY(bfe_s32, u32, u32, u32, u32, extract_s32(a, b, c))                                     \
    TERNARY(bfe_u64, u64, u64, u32, u32, extract_u64(a, b, c))                                     \
    TERNARY(bfe_s64, u64, u64, u32, u32, extract_s64(a, b, c))                                     \
    UNARY(bfind_u32, u32, u32, find32(a))                                                          \
    UNARY(bfind_s32, u32, s32, find32(UNSIGNED_OF(a, 32)))                                         \
    UNARY(bfind_u64, u32, u64, find64(a))                                                          \
    UNARY(bfind_s64, u32, s64, find64(UNSIGNED_OF(a, 64)))                                         \
    UNARY(bfind_shiftamt_u32, u32, u32, to_shift(find32(a), 31))                                   \
    UNARY(bfind_shiftamt_s32, u32, s32, to_shift(find32(UNSIGNED_OF(a, 32)), 31))                  \
    UNARY(bfind_shiftamt_u64, u32, u64, to_shift(find64(a), 63))                                   \
    UNARY(bfind_shiftamt_s64, u32, s64, to_shift(find64(UNSIGNED_OF(a, 64)), 63))                  \
    UNARY(brev_b32, b32, b32, reverse64(a) >> 32)                                                  \
    UNARY(brev_b64, b64, b64, reverse64(a))                                                        \
    UNARY(popc_b32, b32, b32, (uint32_t)__builtin_popcount(a))                                     \
    UNARY(popc_b64, b32, b64, (uint32_t)__builtin_popcountll(a))                                   \
    UNARY(clz_b32, b32, b32, 31 - find32(a))                                                       \
    UNARY(clz_b64, b32, b64, 63 - find64(a))                                                       \
    TERNARY(fns_b32, b32, b32, b32, s32, find_nth(a, b, c))                                        \
    BINARY(bmsk_clamp_b32, b32, b32, b32, (a < 32 ? low32(b) << (a & 31) : 0))                     \
    BINARY(bmsk_wrap_b32, b32, b32, b32, low32(b & 31) << (a & 31))                                \
    BINARY(szext_clamp_u32, u32, u32, u32, extend_zero(a, b))                                      \
    BINARY(szext_clamp_s32, u32, u32, u32, extend_sign(a, b))                                      \
    BINARY(szext_wrap_u32, u32, u32, u32, extend_zero(a, b & 31))                                  \
    BINARY(szext_wrap_s32, u32, u32, u32, extend_sign(a, b & 31))                                  \
    TERNARY(prmt_b32, b32, b32, b32, b32, permute(a, b, c))                                        \
    TERNARY(prmt_b32_f4e, b32, b32, b32, b32, permute(a, b, mode_of(FORWARD_4, c)))                \
    TERNARY(prmt_b32_b4e, b32, b32, b32, b32, permute(a, b, mode_of(BACKWARD_4, c)))               \
    TERNARY(prmt_b32_rc8, b32, b32, b32, b32, permute(a, b, mode_of(REPLICATE_8, c)))              \
    TERNARY(prmt_b32_ecl, b32, b32, b32, b32, permute(a, b, mode_of(EDGE_LEFT, c)))                \
    TERNARY(prmt_b32_ecr, b32, b32, b32, b32, permute(a, b, mode_of(EDGE_RIGHT, c)))               \
    TERNARY(prmt_b32_rc16, b32, b32, b32, b32, permute(a, b, mode_of(REPLICATE_16, c)))
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, LANES_DEFINE_TERNARY)

/* bfi has a fourth source, in rows[1]. */
#define INSERT(name, t, insert)                                                                    \
    LANES_OP(name, t,                                                                              \
             LANES_POINTER(t, a) LANES_POINTER(t, b) LANES_POINTER(u32, c)                         \
                 const cell_u32 *const row_e = LANES_ROW(u32, insn->rows[1]);                      \
             , LANES_VALUE(t, a) LANES_VALUE(t, b) LANES_VALUE(u32, c), insert(a, b, c, row_e[i]))
INSERT(bfi_b32, b32, insert32)
INSERT(bfi_b64, b64, insert64)

/* clang-format off */
static const struct exec_variant rows[] = {
    OPERATIONS(LANES_ROW_UNARY, LANES_ROW_BINARY, LANES_ROW_TERNARY)
    {"bfi_b32", "b32,b32,b32,u32,u32", bfi_b32_full, bfi_b32_part},
    {"bfi_b64", "b64,b64,b64,u32,u32", bfi_b64_full, bfi_b64_part},
};
/* clang-format on */
EXEC_EXPORT(bits, rows)
