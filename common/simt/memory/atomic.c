/*
 * Atomics: the lanes of a warp one after the other, each reads, computes and writes.
 * PTX ISA 9.7.13, "Parallel Synchronization and Communication": atom and red.
 */
#include "common/simt/memory/atomic.h"

#include <string.h>

/* One row an operation: name, value in memory, cell of the registers, the new value from the old
 * value `a`, operand `b` and, for cas, the swap value `c`. */
#define ATOMICS(X)                                                                                 \
    X(add_u32, uint32_t, uint32_t, a + b)                                                          \
    X(add_u64, uint64_t, uint64_t, a + b)                                                          \
    X(inc_u32, uint32_t, uint32_t, a >= b ? 0 : a + 1)                                             \
    X(dec_u32, uint32_t, uint32_t, a == 0 || a > b ? b : a - 1)                                    \
    X(and_b32, uint32_t, uint32_t, a &b)                                                           \
    X(and_b64, uint64_t, uint64_t, a &b)                                                           \
    X(or_b32, uint32_t, uint32_t, a | b)                                                           \
    X(or_b64, uint64_t, uint64_t, a | b)                                                           \
    X(xor_b32, uint32_t, uint32_t, a ^ b)                                                          \
    X(xor_b64, uint64_t, uint64_t, a ^ b)                                                          \
    X(exch_b32, uint32_t, uint32_t, ((void)a, b))                                                  \
    X(exch_b64, uint64_t, uint64_t, ((void)a, b))                                                  \
    X(cas_b16, uint16_t, uint32_t, a == b ? c : a)                                                 \
    X(cas_b32, uint32_t, uint32_t, a == b ? c : a)                                                 \
    X(cas_b64, uint64_t, uint64_t, a == b ? c : a)                                                 \
    X(min_u32, uint32_t, uint32_t, b < a ? b : a)                                                  \
    X(min_u64, uint64_t, uint64_t, b < a ? b : a)                                                  \
    X(min_s32, int32_t, uint32_t, b < a ? b : a)                                                   \
    X(min_s64, int64_t, uint64_t, b < a ? b : a)                                                   \
    X(max_u32, uint32_t, uint32_t, b > a ? b : a)                                                  \
    X(max_u64, uint64_t, uint64_t, b > a ? b : a)                                                  \
    X(max_s32, int32_t, uint32_t, b > a ? b : a)                                                   \
    X(max_s64, int64_t, uint64_t, b > a ? b : a)                                                   \
    X(add_f32, float, uint32_t, sum_f32(a, b, is_global))                                          \
    X(add_f64, double, uint64_t, sum_f64(a, b, is_global))                                         \
    X(add_f16, uint16_t, uint32_t, half_add(a, b, HALF_F16))                                       \
    X(add_bf16, uint16_t, uint32_t, half_add(a, b, HALF_BF16))                                     \
    X(add_f16x2, uint32_t, uint32_t, pair_add(a, b, HALF_F16))                                     \
    X(add_bf16x2, uint32_t, uint32_t, pair_add(a, b, HALF_BF16))

/* Stores the new value. False when another host thread changed the old one in the meantime: only in
 * global memory, and only by reductions of whole words (see crew.c). */
static inline bool replace(const struct simt_sm *sm, const struct simt_region *region, uint8_t *at,
                           void *old, const void *fresh, size_t bytes) {
    if (!sm->guard || region->space != PTX_GLOBAL || bytes < 4) {
        memcpy(at, fresh, bytes);
        return true;
    }
    if (bytes == 4)
        return __atomic_compare_exchange((uint32_t *)at, (uint32_t *)old, (uint32_t *)fresh, false,
                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return __atomic_compare_exchange((uint64_t *)at, (uint64_t *)old, (uint64_t *)fresh, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#define ATOMIC(name, value, cell, expression)                                                      \
    static value compute_##name(value a, value b, value c, bool is_global) {                       \
        (void)c;                                                                                   \
        (void)is_global;                                                                           \
        return (value)(expression);                                                                \
    }                                                                                              \
    static void move_##name(struct simt_sm *sm, const struct simt_request *request,                \
                            const struct simt_region *region) {                                    \
        const struct simt_insn *insn = request->insn;                                              \
        for (uint32_t rest = request->mask; rest; rest &= rest - 1) {                              \
            uint32_t i = (uint32_t)__builtin_ctz(rest);                                            \
            uint8_t *at = region->host + request->offset[i];                                       \
            value a, b, c = 0, fresh;                                                              \
            memcpy(&b, sm->x.rows + insn->b + i * sizeof(cell), sizeof b);                         \
            if (insn->c != SIMT_NO_ROW)                                                            \
                memcpy(&c, sm->x.rows + insn->c + i * sizeof(cell), sizeof c);                     \
            do {                                                                                   \
                memcpy(&a, at, sizeof a);                                                          \
                fresh = compute_##name(a, b, c, region->space == PTX_GLOBAL);                      \
            } while (!replace(sm, region, at, &a, &fresh, sizeof a));                              \
            sm->modified |= memcmp(&fresh, &a, sizeof a) != 0;                                     \
            if (insn->d != SIMT_NO_ROW) {                                                          \
                cell old = 0;                                                                      \
                memcpy(&old, &a, sizeof a);                                                        \
                memcpy(sm->x.rows + insn->d + i * sizeof(cell), &old, sizeof old);                 \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void atomic_##name(struct simt_exec *x, const struct simt_insn *insn) {                 \
        simt_access(simt_sm_of(x), insn, SIMT_UPDATES, move_##name);                               \
    }
ATOMICS(ATOMIC)

static const struct {
    const char *name;
    simt_op *run;
} atomics[] = {
#define ATOMIC_ROW(name, value, cell, expression) {#name, atomic_##name},
    ATOMICS(ATOMIC_ROW)
#undef ATOMIC_ROW
};

/* The letter and width by which the table names a type: an addition does not ask for the sign, and
 * bits are bits. */
static const char *type_word(const char *operation, enum ptx_type type) {
    bool is_wide = ptx_type_bytes(type) == 8;
    if (type == PTX_F32)
        return "f32";
    if (type == PTX_F64)
        return "f64";
    if (type >= PTX_F16 && type <= PTX_BF16X2) {
        static const char *const words[] = {"f16", "f16x2", "bf16", "bf16x2"};
        return words[type - PTX_F16];
    }
    if (type == PTX_B16)
        return "b16";
    if (type == PTX_B128)
        return "b128";
    if (ptx_type_bytes(type) != 4 && !is_wide)
        return "";
    if (strcmp(operation, "min") == 0 || strcmp(operation, "max") == 0) {
        bool is_signed = type == PTX_S32 || type == PTX_S64;
        return is_signed ? (is_wide ? "s64" : "s32") : (is_wide ? "u64" : "u32");
    }
    bool counts = strcmp(operation, "add") == 0 || strcmp(operation, "inc") == 0 ||
                  strcmp(operation, "dec") == 0;
    return counts ? (is_wide ? "u64" : "u32") : (is_wide ? "b64" : "b32");
}

bool simt_atomic_is(const struct simt_insn *insn, const struct ptx_insn *source, const char *name) {
    const char *split = strchr(name, '_');
    char operation[8] = "";
    memcpy(operation, name, (size_t)(split - name));
    return ptx_has(source, operation) && strcmp(split + 1, type_word(operation, insn->type)) == 0;
}

bool simt_atomic_op(struct simt_insn *insn, const struct ptx_insn *source) {
    if (insn->n_elements > 1 || insn->type == PTX_B128)
        return simt_wide_atomic_op(insn, source);
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        if (!simt_atomic_is(insn, source, atomics[i].name))
            continue;
        insn->run_full = insn->run_part = atomics[i].run;
        return true;
    }
    return false;
}
