/*
 * Atomics: the lanes of a warp one after the other, each reads, computes and writes.
 * PTX ISA 9.7.13, "Parallel Synchronization and Communication": atom and red.
 */
#include "common/simt/access/atomic.h"

#include <string.h>

/* One row an operation: its modifier and type, value in memory, cell of the registers, the new
 * value from the old value `a`, operand `b` and, for cas, the swap value `c`. */
#define ATOMICS(X)                                                                                 \
    X(ADD, U32, uint32_t, uint32_t, a + b)                                                         \
    X(ADD, U64, uint64_t, uint64_t, a + b)                                                         \
    X(INC, U32, uint32_t, uint32_t, a >= b ? 0 : a + 1)                                            \
    X(DEC, U32, uint32_t, uint32_t, a == 0 || a > b ? b : a - 1)                                   \
    X(AND, B32, uint32_t, uint32_t, a &b)                                                          \
    X(AND, B64, uint64_t, uint64_t, a &b)                                                          \
    X(OR, B32, uint32_t, uint32_t, a | b)                                                          \
    X(OR, B64, uint64_t, uint64_t, a | b)                                                          \
    X(XOR, B32, uint32_t, uint32_t, a ^ b)                                                         \
    X(XOR, B64, uint64_t, uint64_t, a ^ b)                                                         \
    X(EXCH, B32, uint32_t, uint32_t, ((void)a, b))                                                 \
    X(EXCH, B64, uint64_t, uint64_t, ((void)a, b))                                                 \
    X(CAS, B16, uint16_t, uint32_t, a == b ? c : a)                                                \
    X(CAS, B32, uint32_t, uint32_t, a == b ? c : a)                                                \
    X(CAS, B64, uint64_t, uint64_t, a == b ? c : a)                                                \
    X(MIN, U32, uint32_t, uint32_t, b < a ? b : a)                                                 \
    X(MIN, U64, uint64_t, uint64_t, b < a ? b : a)                                                 \
    X(MIN, S32, int32_t, uint32_t, b < a ? b : a)                                                  \
    X(MIN, S64, int64_t, uint64_t, b < a ? b : a)                                                  \
    X(MAX, U32, uint32_t, uint32_t, b > a ? b : a)                                                 \
    X(MAX, U64, uint64_t, uint64_t, b > a ? b : a)                                                 \
    X(MAX, S32, int32_t, uint32_t, b > a ? b : a)                                                  \
    X(MAX, S64, int64_t, uint64_t, b > a ? b : a)                                                  \
    X(ADD, F32, float, uint32_t, sum_f32(a, b, is_global))                                         \
    X(ADD, F64, double, uint64_t, sum_f64(a, b, is_global))                                        \
    X(ADD, F16, uint16_t, uint32_t, half_add(a, b, HALF_F16))                                      \
    X(ADD, BF16, uint16_t, uint32_t, half_add(a, b, HALF_BF16))                                    \
    X(ADD, F16X2, uint32_t, uint32_t, pair_add(a, b, HALF_F16))                                    \
    X(ADD, BF16X2, uint32_t, uint32_t, pair_add(a, b, HALF_BF16))

/* Stores the new value. False when another host thread, with which memory is shared, changed the
 * old one in the meantime: only by reductions of whole words (see threads.c). */
static inline bool replace(bool is_shared, uint8_t *at, void *old, const void *fresh,
                           size_t bytes) {
    if (!is_shared || bytes < 4) {
        memcpy(at, fresh, bytes);
        return true;
    }
    if (bytes == 4)
        return __atomic_compare_exchange((uint32_t *)at, (uint32_t *)old, (uint32_t *)fresh, false,
                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return __atomic_compare_exchange((uint64_t *)at, (uint64_t *)old, (uint64_t *)fresh, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#define ATOMIC(operation, type, value, cell, expression)                                           \
    static value compute_##operation##_##type(value a, value b, value c, bool is_global) {         \
        (void)c;                                                                                   \
        (void)is_global;                                                                           \
        return (value)(expression);                                                                \
    }                                                                                              \
    static void move_##operation##_##type(struct simt_sm *sm, const struct simt_request *request,  \
                                          const struct simt_region *region) {                      \
        const struct simt_insn *insn = request->insn;                                              \
        const bool is_global = region->space == PTX_GLOBAL, is_shared = sm->guard && is_global;    \
        const uint8_t *operands = sm->x.rows + insn->b;                                            \
        const uint8_t *swaps = insn->c == SIMT_NO_ROW ? NULL : sm->x.rows + insn->c;               \
        uint8_t *host = region->host,                                                              \
                *results = insn->d == SIMT_NO_ROW ? NULL : sm->x.rows + insn->d;                   \
        bool modified = false;                                                                     \
        for (uint32_t rest = request->mask; rest; rest &= rest - 1) {                              \
            uint32_t i = (uint32_t)__builtin_ctz(rest);                                            \
            uint8_t *at = host + request->offset[i];                                               \
            value a, b, c = 0, fresh;                                                              \
            memcpy(&b, operands + i * sizeof(cell), sizeof b);                                     \
            if (swaps)                                                                             \
                memcpy(&c, swaps + i * sizeof(cell), sizeof c);                                    \
            do {                                                                                   \
                memcpy(&a, at, sizeof a);                                                          \
                fresh = compute_##operation##_##type(a, b, c, is_global);                          \
            } while (!replace(is_shared, at, &a, &fresh, sizeof a));                               \
            modified |= memcmp(&fresh, &a, sizeof a) != 0;                                         \
            if (results) {                                                                         \
                cell old = 0;                                                                      \
                memcpy(&old, &a, sizeof a);                                                        \
                memcpy(results + i * sizeof(cell), &old, sizeof old);                              \
            }                                                                                      \
        }                                                                                          \
        sm->modified |= modified;                                                                  \
    }                                                                                              \
    static void atomic_##operation##_##type(struct simt_exec *x, const struct simt_insn *insn) {   \
        simt_access(simt_sm_of(x), insn, SIMT_UPDATES, move_##operation##_##type);                 \
    }
ATOMICS(ATOMIC)

static const struct {
    enum isa_modifier operation;
    enum ptx_type type;
    simt_op *run;
} atomics[] = {
#define ATOMIC_ROW(operation, type, value, cell, expression)                                       \
    {ISA_DOT_##operation, PTX_##type, atomic_##operation##_##type},
    ATOMICS(ATOMIC_ROW)
#undef ATOMIC_ROW
};

/* The type by which the table knows an operation: an addition does not ask for the sign, and bits
 * are bits. */
static enum ptx_type row_type(enum isa_modifier operation, enum ptx_type type) {
    bool is_wide = ptx_type_bytes(type) == 8, is_signed = type == PTX_S32 || type == PTX_S64;
    if (type == PTX_F32 || type == PTX_F64 || (type >= PTX_F16 && type <= PTX_BF16X2) ||
        type == PTX_B16 || type == PTX_B128)
        return type;
    if (ptx_type_bytes(type) != 4 && !is_wide)
        return PTX_NO_TYPE;
    switch (operation) {
    case ISA_DOT_MIN:
    case ISA_DOT_MAX:
        if (is_signed)
            return is_wide ? PTX_S64 : PTX_S32;
        return is_wide ? PTX_U64 : PTX_U32;
    case ISA_DOT_ADD:
    case ISA_DOT_INC:
    case ISA_DOT_DEC:
        return is_wide ? PTX_U64 : PTX_U32;
    default:
        return is_wide ? PTX_B64 : PTX_B32;
    }
}

bool simt_atomic_is(const struct simt_insn *insn, const struct ptx_insn *source,
                    enum isa_modifier operation, enum ptx_type type) {
    return ptx_has(source, operation) && type == row_type(operation, insn->type);
}

bool simt_atomic_op(struct simt_insn *insn, const struct ptx_insn *source) {
    if (insn->n_elements > 1 || insn->type == PTX_B128)
        return simt_wide_atomic_op(insn, source);
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        if (!simt_atomic_is(insn, source, atomics[i].operation, atomics[i].type))
            continue;
        insn->run_full = insn->run_part = atomics[i].run;
        return true;
    }
    return false;
}
