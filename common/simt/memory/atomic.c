/*
 * Atomics: the lanes of a warp one after the other, each reads, computes and writes.
 * PTX ISA 9.7.13, "Parallel Synchronization and Communication": atom and red.
 */
#include "common/simt/memory/region.h"

#include <math.h>
#include <string.h>

#include "common/simt/exec/half.h"

/* Global memory adds floats where they lie, without subnormals (PTX ISA 9.7.13, "atom"); shared
 * memory as add.f32 does. What is no number has all its bits set, as everywhere. */
static float sum_f32(float a, float b, bool is_global) {
    const bool flush_a = is_global && fabsf(a) < 0x1p-126f;
    const bool flush_b = is_global && fabsf(b) < 0x1p-126f;
    const float sum = (flush_a ? copysignf(0, a) : a) + (flush_b ? copysignf(0, b) : b);
    const uint32_t no_number = INT32_MAX;
    float result = is_global && fabsf(sum) < 0x1p-126f ? copysignf(0, sum) : sum;
    if (sum != sum)
        memcpy(&result, &no_number, sizeof(result));
    return result;
}

/* A NaN in global memory keeps its bits, and the operand's come first; shared memory adds as
 * add.f64 does, with the old value first. */
static double sum_f64(double a, double b, bool is_global) {
    const double sum = a + b;
    const double first = is_global ? b : a, second = is_global ? a : b;
    const double given = first != first ? first : second;
    const uint64_t invalid = UINT64_C(0xfff8000000000000), quiet = UINT64_C(0x0008000000000000);
    uint64_t bits;
    if (sum == sum)
        return sum;
    memcpy(&bits, given != given ? (const void *)&given : (const void *)&invalid, sizeof(bits));
    bits |= is_global ? 0 : quiet;
    double result;
    memcpy(&result, &bits, sizeof(result));
    return result;
}

static uint16_t half_add(uint16_t a, uint16_t b, struct half_format format) {
    return half_narrow(half_sum(half_widen(a, format), half_widen(b, format)), format, EXEC_RN);
}

static uint32_t pair_add(uint32_t a, uint32_t b, struct half_format format) {
    return (uint32_t)half_add((uint16_t)(a >> 16), (uint16_t)(b >> 16), format) << 16 |
           half_add((uint16_t)a, (uint16_t)b, format);
}

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

/* Vectors of 2 or 4 elements of 4 bytes, each of which is atomic by itself. Their kernels run on
 * one host thread (crew.c). */
#define VECTORS(X)                                                                                 \
    X(add_f32, float)                                                                              \
    X(add_f16x2, uint32_t)                                                                         \
    X(add_bf16x2, uint32_t)

#define VECTOR(name, value)                                                                        \
    static void move_vector_##name(struct simt_sm *sm, const struct simt_request *request,         \
                                   const struct simt_region *region) {                             \
        const struct simt_insn *insn = request->insn;                                              \
        const uint32_t targets[] = {insn->d, insn->d2, insn->c, insn->b};                          \
        for (uint32_t rest = request->mask; rest; rest &= rest - 1) {                              \
            uint32_t i = (uint32_t)__builtin_ctz(rest);                                            \
            for (unsigned e = 0; e < insn->n_elements; e++) {                                      \
                uint8_t *at = region->host + request->offset[i] + e * sizeof(value);               \
                value a, b, fresh;                                                                 \
                memcpy(&a, at, sizeof a);                                                          \
                memcpy(&b, sm->x.rows + insn->rows[e] + i * sizeof b, sizeof b);                   \
                fresh = compute_##name(a, b, 0, region->space == PTX_GLOBAL);                      \
                memcpy(at, &fresh, sizeof fresh);                                                  \
                sm->modified |= memcmp(&fresh, &a, sizeof a) != 0;                                 \
                if (targets[e] != SIMT_NO_ROW)                                                     \
                    memcpy(sm->x.rows + targets[e] + i * sizeof a, &a, sizeof a);                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void vector_##name(struct simt_exec *x, const struct simt_insn *insn) {                 \
        simt_access(simt_sm_of(x), insn, SIMT_UPDATES, move_vector_##name);                        \
    }
VECTORS(VECTOR)

/* The halves of a lane's 128-bit register. */
static void read_wide(const struct simt_sm *sm, uint32_t row, uint32_t lane, uint64_t halves[2]) {
    const uint64_t *const cells = (const uint64_t *)(sm->x.rows + row);
    halves[0] = cells[lane];
    halves[1] = cells[SIMT_LANES + lane];
}

/* cas and exch of 128 bits; of these, too, one host thread runs all. */
static void move_wide(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region) {
    const struct simt_insn *insn = request->insn;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint8_t *at = region->host + request->offset[i];
        uint64_t old[2], operand[2], fresh[2];
        memcpy(old, at, sizeof old);
        read_wide(sm, insn->b, i, operand);
        memcpy(fresh, operand, sizeof fresh);
        if (insn->c != SIMT_NO_ROW) {
            bool is_same = memcmp(old, operand, sizeof old) == 0;
            read_wide(sm, insn->c, i, fresh);
            memcpy(fresh, is_same ? fresh : old, sizeof fresh);
        }
        memcpy(at, fresh, sizeof fresh);
        sm->modified |= memcmp(fresh, old, sizeof old) != 0;
        if (insn->d == SIMT_NO_ROW)
            continue;
        uint64_t *const cells = (uint64_t *)(sm->x.rows + insn->d);
        cells[i] = old[0];
        cells[SIMT_LANES + i] = old[1];
    }
}

static void atomic_wide(struct simt_exec *x, const struct simt_insn *insn) {
    simt_access(simt_sm_of(x), insn, SIMT_UPDATES, move_wide);
}

static const struct {
    const char *name;
    simt_op *run;
} atomics[] =
    {
#define ATOMIC_ROW(name, value, cell, expression) {#name, atomic_##name},
        ATOMICS(ATOMIC_ROW)
#undef ATOMIC_ROW
            {"cas_b128", atomic_wide},
        {"exch_b128", atomic_wide},
},
  vectors[] = {
#define VECTOR_ROW(name, value) {#name, vector_##name},
      VECTORS(VECTOR_ROW)
#undef VECTOR_ROW
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

/* Whether the instruction is of this name: "add_f32". */
static bool is_named(const struct simt_insn *insn, const struct ptx_insn *source,
                     const char *name) {
    const char *split = strchr(name, '_');
    char operation[8] = "";
    memcpy(operation, name, (size_t)(split - name));
    return ptx_has(source, operation) && strcmp(split + 1, type_word(operation, insn->type)) == 0;
}

bool simt_atomic_op(struct simt_insn *insn, const struct ptx_insn *source) {
    bool is_vector = insn->n_elements > 1;
    size_t n = is_vector ? sizeof vectors / sizeof *vectors : sizeof atomics / sizeof *atomics;
    for (size_t i = 0; i < n; i++) {
        if (!is_named(insn, source, (is_vector ? vectors : atomics)[i].name))
            continue;
        insn->run_full = insn->run_part = (is_vector ? vectors : atomics)[i].run;
        return true;
    }
    return false;
}
