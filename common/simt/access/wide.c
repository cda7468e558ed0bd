/*
 * Wide atomics: of vectors, each element of which is atomic by itself, and of 128 bits as a whole.
 * PTX ISA 9.7.13: atom and red. Kernels that have them run on one host thread (threads.c).
 */
#include "common/simt/access/atomic.h"

/* The lesser of two numbers, or (where `wants_most`) the greater: -0 is less than 0, and what is no
 * number loses. */
static uint16_t half_extreme(uint16_t a, uint16_t b, struct half_format format, bool wants_most) {
    const double x = half_widen(a, format), y = half_widen(b, format);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? HALF_NAN : isnan(x) ? b : a;
    const bool a_is_least = x < y || (x == y && signbit(x));
    return a_is_least != wants_most ? a : b;
}

static uint32_t pair_extreme(uint32_t a, uint32_t b, struct half_format format, bool wants_most) {
    return (uint32_t)half_extreme((uint16_t)(a >> 16), (uint16_t)(b >> 16), format, wants_most)
               << 16 |
           half_extreme((uint16_t)a, (uint16_t)b, format, wants_most);
}

/* One row an operation: its modifier and type, element in memory, the new value from the old one
 * `a` and the operand `b`. */
#define VECTORS(X)                                                                                 \
    X(ADD, F32, float, sum_f32(a, b, true))                                                        \
    X(ADD, F16, uint16_t, half_add(a, b, HALF_F16))                                                \
    X(ADD, BF16, uint16_t, half_add(a, b, HALF_BF16))                                              \
    X(ADD, F16X2, uint32_t, pair_add(a, b, HALF_F16))                                              \
    X(ADD, BF16X2, uint32_t, pair_add(a, b, HALF_BF16))                                            \
    X(MIN, F16, uint16_t, half_extreme(a, b, HALF_F16, false))                                     \
    X(MIN, BF16, uint16_t, half_extreme(a, b, HALF_BF16, false))                                   \
    X(MIN, F16X2, uint32_t, pair_extreme(a, b, HALF_F16, false))                                   \
    X(MIN, BF16X2, uint32_t, pair_extreme(a, b, HALF_BF16, false))                                 \
    X(MAX, F16, uint16_t, half_extreme(a, b, HALF_F16, true))                                      \
    X(MAX, BF16, uint16_t, half_extreme(a, b, HALF_BF16, true))                                    \
    X(MAX, F16X2, uint32_t, pair_extreme(a, b, HALF_F16, true))                                    \
    X(MAX, BF16X2, uint32_t, pair_extreme(a, b, HALF_BF16, true))

#define VECTOR(operation, type, value, expression)                                                 \
    static void move_##operation##_##type(struct simt_sm *sm, const struct simt_request *request,  \
                                          const struct simt_region *region) {                      \
        const struct simt_vector *vector = request->insn->vector;                                  \
        for (uint32_t rest = request->mask; rest; rest &= rest - 1) {                              \
            uint32_t i = (uint32_t)__builtin_ctz(rest);                                            \
            for (unsigned e = 0; e < request->insn->n_elements; e++) {                             \
                uint8_t *at = region->host + request->offset[i] + e * sizeof(value);               \
                value a, b, fresh;                                                                 \
                memcpy(&a, at, sizeof a);                                                          \
                memcpy(&b, sm->x.rows + vector->operands[e] + i * sizeof(uint32_t), sizeof b);     \
                fresh = (value)(expression);                                                       \
                memcpy(at, &fresh, sizeof fresh);                                                  \
                sm->modified |= memcmp(&fresh, &a, sizeof a) != 0;                                 \
                if (vector->old[e] == SIMT_NO_ROW)                                                 \
                    continue;                                                                      \
                uint32_t *cells = (uint32_t *)(sm->x.rows + vector->old[e]);                       \
                cells[i] = 0;                                                                      \
                memcpy(&cells[i], &a, sizeof a);                                                   \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void atomic_##operation##_##type(struct simt_exec *x, const struct simt_insn *insn) {   \
        simt_access(simt_sm_of(x), insn, SIMT_UPDATES, move_##operation##_##type);                 \
    }
VECTORS(VECTOR)

/* The halves of a lane's 128-bit register. */
static void read_wide(const struct simt_sm *sm, uint32_t row, uint32_t lane, uint64_t halves[2]) {
    const uint64_t *const cells = (const uint64_t *)(sm->x.rows + row);
    halves[0] = cells[lane];
    halves[1] = cells[SIMT_LANES + lane];
}

/* cas and exch of 128 bits. */
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
    enum isa_modifier operation;
    enum ptx_type type;
    simt_op *run;
} vectors[] = {
#define VECTOR_ROW(operation, type, value, expression)                                             \
    {ISA_DOT_##operation, PTX_##type, atomic_##operation##_##type},
    VECTORS(VECTOR_ROW)
#undef VECTOR_ROW
};

bool simt_wide_atomic_op(struct simt_insn *insn, const struct ptx_insn *source) {
    simt_op *run = NULL;
    if (insn->type == PTX_B128)
        run = ptx_has(source, ISA_DOT_CAS) || ptx_has(source, ISA_DOT_EXCH) ? atomic_wide : NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && !run; i++)
        if (simt_atomic_is(insn, source, vectors[i].operation, vectors[i].type))
            run = vectors[i].run;
    insn->run_full = insn->run_part = run;
    return run;
}
