/*
 * Integers of two and of four in a register: add, min and max of u16x2 and s16x2 (PTX ISA section
 * 9.7.1), vabsdiff4 (9.7.17), and what is left of clusters where each cta is one (9.7.9, 9.7.13).
 */
#include "common/simt/program/isa/ops/lanes.h"

LANES_INLINE uint32_t pair_of(uint32_t low, uint32_t high) {
    return (low & 0xffff) | high << 16;
}
#define LOW_U(a)  ((uint32_t)(uint16_t)(a))
#define HIGH_U(a) ((uint32_t)(uint16_t)((a) >> 16))
#define LOW_S(a)  ((int32_t)(int16_t)(a))
#define HIGH_S(a) ((int32_t)(int16_t)((a) >> 16))

#define PAIR(of, sign, a, b)                                                                       \
    pair_of((uint32_t)of(LOW_##sign(a), LOW_##sign(b)),                                            \
            (uint32_t)of(HIGH_##sign(a), HIGH_##sign(b)))
#define PLUS(p, q)     ((p) + (q))
#define RELU_MIN(p, q) LANES_MAX(LANES_MIN(p, q), 0)
#define RELU_MAX(p, q) LANES_MAX(LANES_MAX(p, q), 0)

/* The sum of the distances of the four bytes. */
#define BYTE(a, n)        ((int32_t)((a) >> 8 * (n)&255))
#define DISTANCE(a, b, n) ((uint32_t)abs_of(BYTE(a, n) - BYTE(b, n)))
LANES_INLINE int32_t abs_of(int32_t a) {
    return a < 0 ? -a : a;
}
LANES_INLINE uint32_t distances(uint32_t a, uint32_t b) {
    return DISTANCE(a, b, 0) | DISTANCE(a, b, 1) << 8 | DISTANCE(a, b, 2) << 16 |
           DISTANCE(a, b, 3) << 24;
}
LANES_INLINE uint32_t sum_of_distances(uint32_t a, uint32_t b) {
    return DISTANCE(a, b, 0) + DISTANCE(a, b, 1) + DISTANCE(a, b, 2) + DISTANCE(a, b, 3);
}

/* Assembly in headers has .relu behind the type. */
/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    BINARY(add_u16x2, b32, b32, b32, PAIR(PLUS, U, a, b))                                          \
    BINARY(add_s16x2, b32, b32, b32, PAIR(PLUS, U, a, b))                                          \
    BINARY(min_u16x2, b32, b32, b32, PAIR(LANES_MIN, U, a, b))                                     \
    BINARY(max_u16x2, b32, b32, b32, PAIR(LANES_MAX, U, a, b))                                     \
    BINARY(min_s16x2, b32, b32, b32, PAIR(LANES_MIN, S, a, b))                                     \
    BINARY(max_s16x2, b32, b32, b32, PAIR(LANES_MAX, S, a, b))                                     \
    BINARY(min_relu_s16x2, b32, b32, b32, PAIR(RELU_MIN, S, a, b))                                 \
    BINARY(max_relu_s16x2, b32, b32, b32, PAIR(RELU_MAX, S, a, b))                                 \
    BINARY(min_s16x2_relu, b32, b32, b32, PAIR(RELU_MIN, S, a, b))                                 \
    BINARY(max_s16x2_relu, b32, b32, b32, PAIR(RELU_MAX, S, a, b))                                 \
    BINARY(min_s32_relu, s32, s32, s32, RELU_MIN(a, b))                                            \
    BINARY(max_s32_relu, s32, s32, s32, RELU_MAX(a, b))                                            \
    TERNARY(vabsdiff4_u32_u32_u32, b32, b32, b32, b32, ((void)c, distances(a, b)))                 \
    TERNARY(vabsdiff4_u32_u32_u32_add, b32, b32, b32, b32, sum_of_distances(a, b) + c)             \
    UNARY(pending_count, u32, u64, (uint32_t)(a >> 20 & 0xfffff))                                  \
    BINARY(mapa_u32, b32, b32, u32, a + ((cell_32)b << 24))                                        \
    BINARY(mapa_u64, b64, b64, u32, a + ((cell_64)b << 24))                                        \
    BINARY(mapa_shared_u32, b32, b32, u32, a + ((cell_32)b << 24))                                 \
    BINARY(mapa_shared_u64, b64, b64, u32, a + ((cell_64)b << 24))                                 \
    UNARY(getctarank_u32, u32, b32, ((void)a, 0))                                                  \
    UNARY(getctarank_u64, u32, b64, ((void)a, 0))                                                  \
    UNARY(getctarank_shared_u32, u32, b32, ((void)a, 0))                                           \
    UNARY(getctarank_shared_u64, u32, b64, ((void)a, 0))
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, LANES_DEFINE_BINARY, LANES_DEFINE_TERNARY)

static const struct exec_variant rows[] = {
    OPERATIONS(LANES_ROW_UNARY, LANES_ROW_BINARY, LANES_ROW_TERNARY)};
EXEC_EXPORT(pairs, rows)
