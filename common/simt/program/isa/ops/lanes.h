/*
 * How one expression becomes an operation on 32 lanes.
 *
 * A family of opcodes is a list: one row an operation, `BINARY(add_b32, b32, b32, b32, a + b)`.
 * LANES_DEFINE_* turns a row into two functions, for a full and for a partial mask, LANES_ROW_*
 * into its row of the table. Loops have a fixed count and no branches, so that the compiler makes
 * vector code of them. A partial mask computes all lanes and keeps the old value where a lane is
 * off; an expression must therefore not trap, whatever the operands are.
 *
 * A cell has 4 bytes for types of up to 32 bits, 8 for 64 bits. get_T reads a cell as PTX type T,
 * put_T makes one; a reader ignores the bits of a cell above its type, a writer clears them.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "common/simt/program/isa/variants.h"

/* The files under ops/ are compiled once per instruction set: EXEC_ISA is part of their names. */
#ifndef EXEC_ISA
#define EXEC_ISA portable
#endif
#define EXEC_PASTE2(a, b) exec_##a##_##b
#define EXEC_PASTE(a, b)  EXEC_PASTE2(a, b)
#define EXEC_FAMILY(name) EXEC_PASTE(name, EXEC_ISA)

/* Declares and defines a family of the rows in the array `rows`. */
#define EXEC_EXPORT(name, rows)                                                                    \
    extern const struct exec_family EXEC_FAMILY(name);                                             \
    const struct exec_family EXEC_FAMILY(name) = {rows, sizeof(rows) / sizeof(rows)[0]};

#define LANES_INLINE static inline __attribute__((always_inline, unused))
#define LANES_LOOP   _Pragma("GCC ivdep") for (unsigned i = 0; i < SIMT_LANES; i++)

typedef uint32_t cell_32 __attribute__((may_alias));
typedef uint64_t cell_64 __attribute__((may_alias));

/* The row at a byte offset. */
#define LANES_ROW32(x, offset) ((cell_32 *)__builtin_assume_aligned((x)->rows + (offset), 64))
#define LANES_ROW64(x, offset) ((cell_64 *)__builtin_assume_aligned((x)->rows + (offset), 64))

/* One bit a lane: a table instead of 1 << i, so that the compiler need not shift vectors. */
static const _Alignas(64) uint32_t lanes_bit[SIMT_LANES] __attribute__((unused)) = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/* What a type is in C, and its cell. */
#define LANES_INTEGER(t, value, bits)                                                              \
    typedef value value_##t;                                                                       \
    typedef cell_##bits cell_##t;                                                                  \
    LANES_INLINE value get_##t(uint##bits##_t cell) {                                              \
        return (value)cell;                                                                        \
    }
#define LANES_PUT(t, bits, narrow)                                                                 \
    LANES_INLINE uint##bits##_t put_##t(value_##t v) {                                             \
        return (narrow)v;                                                                          \
    }
#define LANES_INTEGERS(X)                                                                          \
    X(u8, uint8_t, 32, uint8_t)                                                                    \
    X(s8, int8_t, 32, uint8_t)                                                                     \
    X(b16, uint16_t, 32, uint16_t)                                                                 \
    X(u16, uint16_t, 32, uint16_t)                                                                 \
    X(s16, int16_t, 32, uint16_t)                                                                  \
    X(b32, uint32_t, 32, uint32_t)                                                                 \
    X(u32, uint32_t, 32, uint32_t)                                                                 \
    X(s32, int32_t, 32, uint32_t)                                                                  \
    X(b64, uint64_t, 64, uint64_t)                                                                 \
    X(u64, uint64_t, 64, uint64_t)                                                                 \
    X(s64, int64_t, 64, uint64_t)
#define LANES_TYPE(t, value, bits, narrow) LANES_INTEGER(t, value, bits) LANES_PUT(t, bits, narrow)
LANES_INTEGERS(LANES_TYPE)
#undef LANES_TYPE

typedef float value_f32;
typedef cell_32 cell_f32;
typedef double value_f64;
typedef cell_64 cell_f64;

LANES_INLINE float get_f32(uint32_t cell) {
    union {
        uint32_t bits;
        float value;
    } u = {.bits = cell};
    return u.value;
}

/* A NaN that an instruction makes is the GPU's canonical one, not the host's. */
LANES_INLINE uint32_t put_f32(float v) {
    union {
        float value;
        uint32_t bits;
    } u = {.value = v};
    return v == v ? u.bits : UINT32_C(0x7fffffff);
}

LANES_INLINE double get_f64(uint64_t cell) {
    union {
        uint64_t bits;
        double value;
    } u = {.bits = cell};
    return u.value;
}

LANES_INLINE uint64_t put_f64(double v) {
    union {
        double value;
        uint64_t bits;
    } u = {.value = v};
    return u.bits;
}

/* New cell where the lane is on, old cell elsewhere. */
LANES_INLINE uint32_t lanes_keep32(uint32_t on, uint32_t fresh, uint32_t old) {
    return (fresh & on) | (old & ~on);
}
LANES_INLINE uint64_t lanes_keep64(uint32_t on, uint64_t fresh, uint64_t old) {
    const uint64_t wide = (uint64_t)(int64_t)(int32_t)on;
    return (fresh & wide) | (old & ~wide);
}

#define LANES_ROW(t, offset) ((cell_##t *)__builtin_assume_aligned(x->rows + (offset), 64))
#define LANES_KEEP(on, fresh, old)                                                                 \
    (sizeof(old) == 4 ? lanes_keep32(on, (uint32_t)(fresh), (uint32_t)(old))                       \
                      : lanes_keep64(on, fresh, old))

/* Pointer to the row of an operand, and its value in lane i. */
#define LANES_POINTER(t, slot) const cell_##t *const row_##slot = LANES_ROW(t, insn->slot);
#define LANES_VALUE(t, slot)   const value_##t slot = get_##t(row_##slot[i]);

/* The loop of one expression: `rows` declares pointers before, `values` names within it. */
#define LANES_BODY(name, td, rows, values, expression)                                             \
    LANES_INLINE void name##_lanes(struct simt_exec *x, const struct simt_insn *insn, bool full) { \
        cell_##td *const row_d = LANES_ROW(td, insn->d);                                           \
        const uint32_t *const on = x->lanes;                                                       \
        rows LANES_LOOP {                                                                          \
            values const cell_##td fresh = put_##td((value_##td)(expression));                     \
            row_d[i] = full ? fresh : (cell_##td)LANES_KEEP(on[i], fresh, row_d[i]);               \
        }                                                                                          \
    }
#define LANES_OP(name, td, rows, values, expression)                                               \
    LANES_BODY(name, td, rows, values, expression)                                                 \
    LANES_BOTH(name)

/* The functions for a full and a partial mask of one loop. */
#define LANES_BOTH(name)                                                                           \
    static void name##_full(struct simt_exec *x, const struct simt_insn *insn) {                   \
        name##_lanes(x, insn, true);                                                               \
    }                                                                                              \
    static void name##_part(struct simt_exec *x, const struct simt_insn *insn) {                   \
        name##_lanes(x, insn, false);                                                              \
    }

#define LANES_DEFINE_UNARY(name, td, ta, expression)                                               \
    LANES_OP(name, td, LANES_POINTER(ta, a), LANES_VALUE(ta, a), expression)
#define LANES_DEFINE_BINARY(name, td, ta, tb, expression)                                          \
    LANES_OP(name, td, LANES_POINTER(ta, a) LANES_POINTER(tb, b),                                  \
             LANES_VALUE(ta, a) LANES_VALUE(tb, b), expression)
#define LANES_DEFINE_TERNARY(name, td, ta, tb, tc, expression)                                     \
    LANES_OP(name, td, LANES_POINTER(ta, a) LANES_POINTER(tb, b) LANES_POINTER(tc, c),             \
             LANES_VALUE(ta, a) LANES_VALUE(tb, b) LANES_VALUE(tc, c), expression)

#define LANES_ROW_UNARY(name, td, ta, expression) {#name, #td "," #ta, name##_full, name##_part},
#define LANES_ROW_BINARY(name, td, ta, tb, expression)                                             \
    {#name, #td "," #ta "," #tb, name##_full, name##_part},
#define LANES_ROW_TERNARY(name, td, ta, tb, tc, expression)                                        \
    {#name, #td "," #ta "," #tb "," #tc, name##_full, name##_part},

/* A row of an operation written by hand: one function for both masks. */
#define LANES_ROW_HAND(name, signature) {#name, signature, name, name},

/* Writes a predicate in the lanes that are on. */
LANES_INLINE void lanes_set_pred(struct simt_exec *x, uint32_t pred, uint32_t value) {
    x->preds[pred] = (x->preds[pred] & ~x->mask) | (value & x->mask);
}

/* A predicate source, inverted where the instruction says so; slot 0 is a, 1 is b, 2 is c. */
LANES_INLINE uint32_t lanes_get_pred(const struct simt_exec *x, const struct simt_insn *insn,
                                     uint32_t pred, unsigned slot) {
    return x->preds[pred] ^ (0u - (insn->imm_flags >> slot & 1u));
}

/* The value of the instruction's predicate or destination from that of the comparison. */
LANES_INLINE uint32_t combined(const struct simt_exec *x, const struct simt_insn *insn,
                               uint32_t holds) {
    if (insn->imm == EXEC_COMBINE_NONE)
        return holds;
    const uint32_t c = lanes_get_pred(x, insn, insn->c, 2);
    return insn->imm == EXEC_COMBINE_AND  ? holds & c
           : insn->imm == EXEC_COMBINE_OR ? holds | c
                                          : holds ^ c;
}

/* PTX clamps addresses and shifts in several places; these keep the expressions short. */
#define LANES_MIN(p, q) ((p) < (q) ? (p) : (q))
#define LANES_MAX(p, q) ((p) > (q) ? (p) : (q))
